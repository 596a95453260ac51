interface Waiting<One, Answer> {
  one: One
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Does together what many ask for: what comes while a batch is under way is in the next one, so that nobody waits for a
 * batch to fill. `work` answers each in order. When it fails, all of the batch do.
 */
export function inBatches<One, Answer>(
  most: number,
  work: (batch: readonly One[]) => Promise<readonly Answer[]>,
): (one: One) => Promise<Answer> {
  let waiting: Waiting<One, Answer>[] = []
  let isWorking = false
  const workThrough = async (): Promise<void> => {
    isWorking = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await work(batch.map(({ one }) => one))
        for (const [nr, { resolve }] of batch.entries()) resolve(answers[nr] as Answer)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWorking = false
  }
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject })
      if (!isWorking) void workThrough()
    })
}
