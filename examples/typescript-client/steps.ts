import { setTimeout as sleep } from 'node:timers/promises'

/** Tells what the tour did. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Ends the tour with the sentence when what it says is not so. */
export function expect(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence)
}

/** Asks five times a second, for twenty seconds at most. */
export async function until(sentence: string, ask: () => Promise<boolean>): Promise<void> {
  for (let asked = 0; !(await ask()); asked++) {
    expect(asked < 100, sentence)
    await sleep(200)
  }
}
