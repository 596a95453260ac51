import { parentPort, workerData } from 'node:worker_threads'
import { openDirectory, openMemory, type Engine } from './engine.ts'
import { faultText } from './fault-text.ts'
import { simpleQuery, type FromWorker, type ToWorker, type WorkerSettings } from './messages.ts'

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread.')
const settings = workerData as WorkerSettings

const send = (message: FromWorker, ...transfer: ArrayBuffer[]) => port.postMessage(message, transfer)
const sendBytes = (message: FromWorker & { bytes: Uint8Array }) => send(message, message.bytes.buffer as ArrayBuffer)

// One backend serves the sessions in turn: what one left open must not affect the next.
const resetStatements = ['ROLLBACK', 'DISCARD ALL']

async function handle(engine: Engine, message: ToWorker): Promise<void> {
  if (message.reset) for (const sql of resetStatements) await engine.execute(simpleQuery(sql))
  if (message.bytes) {
    sendBytes({ kind: 'answer', session: message.session, bytes: await engine.execute(message.bytes) })
  }
  if (message.dump) sendBytes({ kind: 'dump', bytes: await engine.dump() })
  if (message.close) {
    await engine.close()
    send({ kind: 'closed' })
    port?.close()
  }
}

function serve(engine: Engine): void {
  let last = Promise.resolve()
  let failed = false
  const next = async (message: ToWorker) => {
    if (failed) return
    try {
      await handle(engine, message)
    } catch (error) {
      failed = true
      send({ kind: 'failed', message: faultText(error) })
    }
  }
  const after = async (earlier: Promise<void>, message: ToWorker) => {
    await earlier
    await next(message)
  }
  port?.on('message', (message: ToWorker) => {
    last = after(last, message)
  })
  send({ kind: 'ready' })
}

// A call to an engine that died may never return, so the thread ends here.
const onDeath = (error: Error): never => {
  send({ kind: 'failed', message: error.message })
  process.exit(1)
}

try {
  const engine = settings.directory
    ? await openDirectory(settings.directory, { onDeath })
    : await openMemory(settings.seed)
  serve(engine)
} catch (error) {
  send({ kind: 'failed', message: faultText(error) })
}
