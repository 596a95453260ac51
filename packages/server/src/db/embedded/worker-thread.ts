import type { Worker } from 'node:worker_threads'
import { startThread } from '@vedette/checks/thread'
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts'

/** The thread that runs the embedded database. */
export interface WorkerThread {
  send(message: ToWorker): void
  onAnswer(listener: (session: number, bytes: Uint8Array) => void): void
  dump(): Promise<Uint8Array>
  /** Settles when the thread has died or its database can no longer be trusted. */
  failed: Promise<Error>
  close(): Promise<void>
}

const startWorker = (settings: WorkerSettings): Worker =>
  startThread(new URL('./worker.ts', import.meta.url), { workerData: settings })

interface Signals {
  failed: Promise<Error>
  reached(kind: 'ready' | 'closed'): Promise<void>
}

function signalsOf(worker: Worker): Signals {
  const failed = new Promise<Error>((resolve) => {
    worker.once('error', resolve)
    worker.once('exit', () => resolve(new Error('the thread of the embedded database ended')))
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'failed') resolve(new Error(message.message))
    })
  })
  const reached = (kind: 'ready' | 'closed') => {
    const there = new Promise<void>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === kind) resolve()
      })
    })
    return Promise.race([there, failed.then((error) => Promise.reject(error))])
  }
  return { failed, reached }
}

async function waitUntilReady(worker: Worker, signals: Signals): Promise<void> {
  try {
    await signals.reached('ready')
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

/** Starts a thread that serves the cluster in `directory`, or one in memory. */
export async function startWorkerThread(source: { directory: string } | { seed?: Uint8Array }): Promise<WorkerThread> {
  const settings = {
    directory: 'directory' in source ? source.directory : undefined,
    seed: 'seed' in source ? source.seed : undefined,
  }
  const worker = startWorker(settings)
  const signals = signalsOf(worker)
  await waitUntilReady(worker, signals)
  const failed = signals.failed
  return {
    failed,
    send: (message) => worker.postMessage(message, message.bytes ? [message.bytes.buffer as ArrayBuffer] : []),
    onAnswer(listener) {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'answer') listener(message.session, message.bytes)
      })
    },
    dump() {
      const bytes = new Promise<Uint8Array>((resolve) => {
        worker.on('message', (message: FromWorker) => {
          if (message.kind === 'dump') resolve(message.bytes)
        })
      })
      worker.postMessage({ session: 0, dump: true } satisfies ToWorker)
      return Promise.race([bytes, failed.then((error) => Promise.reject(error))])
    },
    async close() {
      const closed = signals.reached('closed')
      worker.postMessage({ session: 0, close: true } satisfies ToWorker)
      // A thread that failed cannot close its files; they are closed when it ends.
      await Promise.race([closed, failed])
      await worker.terminate()
    },
  }
}
