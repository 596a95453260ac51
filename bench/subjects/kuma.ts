import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../e2e/free-port.ts'
import { kumaFolder, kumaVersion } from './kuma-package.ts'
import { startPeer } from './peer-process.ts'
import { periodSeconds, type Subject } from './subject.ts'

const user = { username: 'bench', password: 'bench-password-1' }
const answerWithinMs = 60_000
/** Monitors of one import begin together, and imports some time after each other: so they spread over their period. */
const importSize = 40

/**
 * Uptime Kuma with its SQLite database, of the folder or of a package that is installed into a cache. Each session begins
 * anew: a Kuma that has monitors lets them begin half a second after each other when it starts.
 */
export async function kuma(folder: string | undefined, targetPort: number): Promise<Subject> {
  const program = kumaFolder(folder)
  const version = kumaVersion(program)
  const root = await mkdtemp(join(tmpdir(), 'vedette-bench-kuma-'))
  return {
    name: `Uptime Kuma ${version}`,
    async start() {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const data = await mkdtemp(join(root, 'data-'))
      const args = ['server/server.js', `--port=${port}`, '--host=127.0.0.1', `--data-dir=${data}/`]
      const running = await startPeer(process.execPath, args, { cwd: program, env: kumaEnvironment, url })
      let made = 0
      return {
        pid: running.pid,
        async hold(checks) {
          if (checks < made) throw new Error(`Uptime Kuma has ${made} monitors and is asked for ${checks}.`)
          const monitors = Array.from({ length: checks - made }, (_, n) => monitor(targetPort, made + n))
          console.error(`  adding ${monitors.length} monitors to Uptime Kuma, which takes a minute or more`)
          await addMonitors({ program, url, version, isFirst: made === 0 }, monitors)
          made = checks
        },
        lastOutput: running.lastOutput,
        stop: running.stop,
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** The proxy that is not there keeps its look for updates on this machine. */
const kumaEnvironment = {
  NODE_ENV: 'production',
  UPTIME_KUMA_DB_TYPE: 'sqlite',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1',
}

/** The same request as of our checks, with a word of the answer instead of the assertion on JSON. */
const monitor = (port: number, n: number) => ({
  type: 'keyword',
  name: `Fleet ${n}`,
  url: `http://127.0.0.1:${port}/check/${n}`,
  keyword: '"status":"ok"',
  invertKeyword: false,
  method: 'GET',
  interval: periodSeconds,
  retryInterval: periodSeconds,
  resendInterval: 0,
  maxretries: 0,
  timeout: 16,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  ignoreTls: false,
  upsideDown: false,
  notificationIDList: {},
})

interface Kuma {
  program: string
  url: string
  version: string
  isFirst: boolean
}

/** Adds monitors one by one as its own pages do. Versions before 2.0 send the whole list for each, but can import many. */
async function addMonitors(kuma: Kuma, monitors: readonly ReturnType<typeof monitor>[]): Promise<void> {
  const admin = await signIn(kuma)
  const canImport = kuma.version.startsWith('1.') || kuma.version.includes('-dev')
  const size = canImport ? importSize : 1
  try {
    for (let at = 0; at < monitors.length; at += size) {
      const next = monitors.slice(at, at + size)
      if (canImport) await admin.call('uploadBackup', backupOf(next), 'keep')
      else await admin.call('add', { ...next[0], kafkaProducerBrokers: [], kafkaProducerSaslOptions: {} })
    }
  } finally {
    // An open page would cost it more than its checks.
    admin.close()
  }
}

const backupOf = (monitors: readonly object[]): string =>
  JSON.stringify({
    version: '1.23.0',
    notificationList: [],
    proxyList: [],
    monitorList: monitors.map((each) => ({ ...each, active: 1, tags: [] })),
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

async function signIn({ program, url, isFirst }: Kuma) {
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
