import { mostAheadMs } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { AlertChannelsRow, LeadershipRow } from '../db/rows.ts'
import type { FailingChannels } from './facts/facts.ts'

/**
 * Marks that change whenever a lease is taken or renewed: by anybody, and by another process than `holder`. They are
 * compared only, because clocks of two hosts may differ.
 */
export async function readLeases(db: Queryable, holder: string): Promise<{ all: string; others: string }> {
  const { rows } = await db.query<LeaseRow>('SELECT role, holder, epoch, expires_at FROM leadership ORDER BY role')
  return { all: markOf(rows), others: markOf(rows.filter((row) => row.holder !== holder)) }
}

type LeaseRow = Pick<LeadershipRow, 'role' | 'holder' | 'epoch' | 'expires_at'>

const markOf = (rows: readonly LeaseRow[]): string =>
  rows.map(({ role, epoch, expires_at }) => `${role} ${epoch} ${expires_at.getTime()}`).join()

interface ChannelRow extends Pick<AlertChannelsRow, 'account_id' | 'type'> {
  name: string | null
  since: Date
}

export interface ChannelTimes {
  from: Date
  retriedSince: Date
  now: Date
}

/**
 * Channels whose last settled notification was not accepted, or that have been retried for a while, by account.
 * Notifications of before `from` do not count, nor those that a later one, or a test message, followed and was accepted. What is
 * ahead of `now` is of before the clock was set back: such a test says nothing of what came since.
 */
export async function readFailingChannels(
  db: Queryable,
  { from, retriedSince, now }: ChannelTimes,
): Promise<FailingChannels[]> {
  const { rows } = await db.query<ChannelRow>(
    `SELECT c.account_id, c.type, coalesce(c.config->>'address', nullif(c.config->>'name', '')) AS name,
       least(refused.queued_at, retried.queued_at, $3::timestamptz) AS since
     FROM (SELECT *, CASE WHEN test_accepted_at <= $4 THEN test_accepted_at END AS tested_at
       FROM alert_channels) c
     LEFT JOIN LATERAL (SELECT n.status, n.queued_at, n.seq FROM alert_notifications n
       WHERE n.channel_id = c.id AND n.status <> 'IN_PROGRESS' ORDER BY n.seq DESC LIMIT 1) settled ON settled.queued_at > $1
     LEFT JOIN LATERAL (SELECT settled.queued_at WHERE settled.status <> 'SUCCESS'
       AND settled.queued_at > coalesce(c.tested_at, '-infinity')) refused ON true
     LEFT JOIN LATERAL (SELECT min(n.queued_at) AS queued_at FROM alert_notifications n
       WHERE n.channel_id = c.id AND n.status = 'IN_PROGRESS' AND n.attempts >= 3 AND n.queued_at < $2
       AND n.queued_at > coalesce(c.tested_at, '-infinity')
       AND NOT coalesce(settled.status = 'SUCCESS' AND settled.seq > n.seq, false)) retried ON true
     WHERE c.deleted_at IS NULL AND (refused.queued_at IS NOT NULL OR retried.queued_at IS NOT NULL)
     ORDER BY c.account_id, c.id`,
    [from, retriedSince, now, new Date(now.getTime() + mostAheadMs)],
  )
  return [...new Set(rows.map(({ account_id }) => account_id))].map((accountId) => {
    const failing = rows.filter(({ account_id }) => account_id === accountId)
    return { accountId, channels: failing.map(nameOf), since: Math.min(...failing.map(({ since }) => since.getTime())) }
  })
}

const nameOf = ({ type, name }: ChannelRow): string =>
  name === null ? type.toLowerCase() : `${type.toLowerCase()} to ${name}`
