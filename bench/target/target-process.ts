import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Arrival } from './target.ts'

/** The target of a bench, in a process of its own. */
export interface Target {
  port: number
  pid: number
  /** Answers the next requests for a path with 500. */
  fail(path: string, times: number): void
  /** What arrived since the last call. */
  arrivals(): Promise<Arrival[]>
  stop(): void
}

export async function startTarget(): Promise<Target> {
  const child = fork(fileURLToPath(new URL('./target.ts', import.meta.url)), [], {
    execArgv: ['--conditions=vedette-source', '--import', 'tsx'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    pid: child.pid ?? 0,
    fail: (path, times) => void child.send({ fail: path, times }),
    async arrivals() {
      const answered = new Promise<Arrival[]>((resolve) => {
        const hear = (message: { arrivals?: Arrival[] }) => {
          if (message.arrivals === undefined) return
          child.off('message', hear)
          resolve(message.arrivals)
        }
        child.on('message', hear)
      })
      child.send({ tell: 'arrivals' })
      return answered
    },
    stop: () => child.disconnect(),
  }
}
