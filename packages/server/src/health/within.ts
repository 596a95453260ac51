import type { Clock } from '@vedette/wire'

/** Rejects when the work takes longer; the work itself goes on. */
export async function within<T>(clock: Clock, limitMs: number, what: string, work: Promise<T>): Promise<T> {
  let cancel: () => void = () => undefined
  const limit = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(limitMs, () => reject(new Error(`${what} took longer than ${limitMs / 1000} s`)))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    cancel()
  }
}
