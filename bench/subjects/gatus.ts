import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { freePort } from '../../e2e/free-port.ts'
import { UsageError } from '../options.ts'
import { startPeer, type PeerProcess } from './peer-process.ts'
import { periodSeconds, type Subject } from './subject.ts'

/** Gatus, found in the folder or on the PATH. */
export async function gatus(folder: string | undefined, targetPort: number): Promise<Subject> {
  const program = findGatus(folder, process.env['PATH'] ?? '')
  const data = await mkdtemp(join(tmpdir(), 'vedette-bench-gatus-'))
  return {
    name: 'Gatus',
    async start() {
      let running: PeerProcess | undefined
      return {
        get pid() {
          return running?.pid ?? 0
        },
        // It reads its checks when it starts and accepts no empty list.
        async hold(checks) {
          await running?.stop()
          const port = await freePort()
          const file = join(data, 'config.yaml')
          await writeFile(file, gatusConfiguration({ checks, targetPort, port, database: join(data, 'gatus.db') }))
          const env = { GATUS_CONFIG_PATH: file }
          running = await startPeer(program, [], { cwd: data, env, url: `http://127.0.0.1:${port}/health` })
        },
        lastOutput: () => running?.lastOutput() ?? '',
        stop: async () => running?.stop(),
      }
    },
    remove: () => rm(data, { recursive: true, force: true }),
  }
}

export function findGatus(folder: string | undefined, path: string): string {
  const folders = folder === undefined ? path.split(delimiter) : [resolve(folder)]
  const found = folders.map((each) => join(each, 'gatus')).find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new UsageError(
    `There is no program "gatus" ${folder === undefined ? 'on the PATH' : `in ${resolve(folder)}`}. It is in no package of npm or Debian: ` +
      `build it with Go ("go install github.com/TwiN/gatus/v5@latest") and give its folder with --peer-dir.`,
  )
}

interface GatusSettings {
  checks: number
  targetPort: number
  port: number
  database: string
}

/** YAML, of which JSON is a part. Results are stored, as ours are, and checks do not wait for each other. */
export const gatusConfiguration = ({ checks, targetPort, port, database }: GatusSettings): string =>
  JSON.stringify({
    web: { address: '127.0.0.1', port },
    storage: { type: 'sqlite', path: database },
    concurrency: 0,
    'disable-monitoring-lock': true,
    endpoints: Array.from({ length: checks }, (_, n) => ({
      name: `check-${n}`,
      url: `http://127.0.0.1:${targetPort}/check/${n}`,
      interval: `${periodSeconds}s`,
      conditions: ['[STATUS] == 200', '[BODY].status == ok'],
    })),
  })
