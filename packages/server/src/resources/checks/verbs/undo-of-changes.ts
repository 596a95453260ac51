import { mostIds, type BulkChange, type CommonCheck } from '@vedette/wire'
import type { CheckAnswer } from '../to-check.ts'

/** Checks that the same change makes what they were before. */
export interface UndoPart {
  ids: string[]
  change: BulkChange
}

/** A check that was changed. */
interface Changed {
  before: CheckAnswer
  after: CheckAnswer
  mutedUntil: { before: Date | null; after: Date | null }
}

/** What makes a check what it was before, of the fields that a change of many checks may name. */
export function undoOfChange({ before, after, mutedUntil }: Changed): BulkChange {
  return {
    ...(before.activated !== after.activated && { activated: before.activated === true }),
    ...(before.groupId !== after.groupId && { groupId: before.groupId as CommonCheck['groupId'] }),
    ...(!isMutedAlike({ before, after, mutedUntil }) && muteOf(before, mutedUntil.before)),
    ...named('addTags', missing(tagsOf(before), tagsOf(after))),
    ...named('removeTags', missing(tagsOf(after), tagsOf(before))),
    ...named('addChannels', missing(channelsOf(before), channelsOf(after))),
    ...named('removeChannels', missing(channelsOf(after), channelsOf(before))),
  }
}

/** Whether a check is muted as it was before, with the same end. */
const isMutedAlike = ({ before, after, mutedUntil }: Changed): boolean =>
  before.muted === after.muted && mutedUntil.before?.getTime() === mutedUntil.after?.getTime()

function muteOf({ muted }: CheckAnswer, until: Date | null): BulkChange {
  if (muted !== true) return { muted: false }
  return until === null ? { muted: true } : { mutedUntil: until.toISOString() }
}

const tagsOf = ({ tags }: CheckAnswer) => tags as CommonCheck['tags']

/** Channels that hear of the check. */
const channelsOf = ({ alertChannelSubscriptions: all }: CheckAnswer) =>
  (all as CommonCheck['alertChannelSubscriptions']).filter((one) => one.activated).map((one) => one.alertChannelId)

const missing = <T>(from: readonly T[], among: readonly T[]): T[] => from.filter((one) => !among.includes(one))

const named = <T>(name: keyof BulkChange, list: readonly T[]): BulkChange => (list.length === 0 ? {} : { [name]: list })

/** Checks with the same change together, no more of them than one change may name. */
export function grouped(all: readonly { id: string; change: BulkChange }[]): UndoPart[] {
  const groups: UndoPart[] = []
  const open = new Map<string, UndoPart>()
  for (const { id, change } of all) {
    const key = JSON.stringify(change)
    const group = open.get(key)
    if (group !== undefined && group.ids.length < mostIds) {
      group.ids.push(id)
      continue
    }
    const begun = { ids: [id], change }
    open.set(key, begun)
    groups.push(begun)
  }
  return groups
}
