import type { AlertNotification } from '@vedette/wire'

/** Notifications of one trouble of one check, from its first alert to its recovery. */
export interface AlertEpisode {
  key: string
  checkId: string | null
  checkName: string
  /** Newest first. */
  notifications: AlertNotification[]
}

const opens = new Set(['ALERT_FAILURE', 'ALERT_DEGRADED'])

/**
 * Notifications, newest first, as episodes with the newest first. An episode begins with the first alert of a trouble; what
 * stands before the oldest of them in the list belongs to an episode that began before it.
 */
export function byEpisode(notifications: readonly AlertNotification[]): AlertEpisode[] {
  const episodes: AlertEpisode[] = []
  const open = new Map<string, AlertEpisode>()
  for (const each of notifications) {
    const subject = each.checkId ?? `vedette ${each.checkName}`
    let episode = open.get(subject)
    // Read backwards, the first alert of a trouble is the end of its episode: what follows is of an older one.
    const isOlder = episode !== undefined && hasBegun(episode) && !isOfSameAlert(episode, each)
    if (episode === undefined || isOlder) {
      episode = { key: `${subject} ${each.id}`, checkId: each.checkId, checkName: each.checkName, notifications: [] }
      open.set(subject, episode)
      episodes.push(episode)
    }
    episode.notifications.push(each)
  }
  return episodes
}

const hasBegun = ({ notifications }: AlertEpisode): boolean => {
  const oldest = notifications.at(-1)
  return oldest !== undefined && opens.has(oldest.alertType) && oldest.reminder === 0
}

/** An alert goes to several channels. */
const isOfSameAlert = ({ notifications }: AlertEpisode, { checkAlertId }: AlertNotification): boolean =>
  notifications.at(-1)?.checkAlertId === checkAlertId
