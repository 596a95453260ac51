import { say } from './steps.ts'

/** What takes back what was made, in the order it was made. */
export const undoing: { what: string; undo: () => Promise<void> }[] = []

/** Takes everything back, the latest first. */
export async function removeAll(): Promise<void> {
  const things = undoing.toReversed()
  undoing.length = 0
  for (const { undo } of things) await undo()
  say(`deleted: ${things.map(({ what }) => what).join(', ')}`)
}
