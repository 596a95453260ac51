import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { kumaFolder, kumaVersion } from './kuma-package.ts'
import { startPeer } from './peer-process.ts'
import { periodSeconds, type Subject } from './subject.ts'

const user = { username: 'bench', password: 'bench-password-1' }
const answerWithinMs = 60_000
/** Checks are told apart from those of the runs before by their number: the first is /check/0. */
const nameOf = (n: number): string => `Fleet ${n}`

/** Uptime Kuma with its SQLite database, of the folder or of a package that is installed into a cache. */
export async function kuma(folder: string | undefined, targetPort: number): Promise<Subject> {
  const program = kumaFolder(folder)
  const data = await mkdtemp(join(tmpdir(), 'vedette-bench-kuma-'))
  let made = 0
  return {
    name: `Uptime Kuma ${kumaVersion(program)}`,
    async start() {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const args = ['server/server.js', `--port=${port}`, '--host=127.0.0.1', `--data-dir=${data}/`]
      const running = await startPeer(process.execPath, args, { cwd: program, env: kumaEnvironment, url })
      return {
        pid: running.pid,
        async hold(checks) {
          if (checks < made) throw new Error(`Uptime Kuma has ${made} checks and is asked for ${checks}.`)
          if (checks === made) return
          console.error(`  adding ${checks - made} monitors to Uptime Kuma, which takes minutes`)
          const admin = await signIn(program, url, made === 0)
          try {
            for (; made < checks; made++) await admin.call('add', monitor(targetPort, made))
          } finally {
            admin.close()
          }
        },
        lastOutput: running.lastOutput,
        stop: running.stop,
      }
    },
    remove: () => rm(data, { recursive: true, force: true }),
  }
}

/** The proxy that is not there keeps its look for updates on this machine. */
const kumaEnvironment = {
  NODE_ENV: 'production',
  UPTIME_KUMA_DB_TYPE: 'sqlite',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
}

/** As its own pages create a monitor. */
const monitor = (port: number, n: number) => ({
  type: 'json-query',
  name: nameOf(n),
  url: `http://127.0.0.1:${port}/check/${n}`,
  method: 'GET',
  interval: periodSeconds,
  retryInterval: periodSeconds,
  resendInterval: 0,
  maxretries: 0,
  timeout: 16,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  jsonPath: 'status',
  expectedValue: 'ok',
  ignoreTls: false,
  upsideDown: false,
  notificationIDList: {},
  kafkaProducerBrokers: [],
  kafkaProducerSaslOptions: { mechanism: 'None' },
})

/** As much of the client of socket.io as is used. */
interface Socket {
  timeout(ms: number): { emit(verb: string, ...rest: unknown[]): void }
  on(event: 'connect_error', hear: (error: Error) => void): void
  disconnect(): void
}

interface KumaAnswer {
  ok: boolean
  msg?: string
}

async function signIn(program: string, url: string, isFirst: boolean) {
  const load = createRequire(join(program, 'package.json'))
  const { io } = load('socket.io-client') as { io: (url: string, options: object) => Socket }
  const socket = io(url, { transports: ['websocket'], reconnection: true })
  const call = (verb: string, ...input: unknown[]) =>
    new Promise<void>((resolve, reject) => {
      socket.timeout(answerWithinMs).emit(verb, ...input, (error: Error | null, answer?: KumaAnswer) => {
        if (error === null && answer?.ok === true) resolve()
        else reject(new Error(`Uptime Kuma refused "${verb}": ${error?.message ?? answer?.msg ?? 'no reason given'}`))
      })
    })
  if (isFirst) await call('setup', user.username, user.password)
  await call('login', { ...user, token: '' })
  return { call, close: () => socket.disconnect() }
}
