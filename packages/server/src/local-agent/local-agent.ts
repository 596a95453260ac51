import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { builtInProgram, type AgentSettings, type BuiltInStart } from '@vedette/agent'
import { processOptions } from '@vedette/checks/runnable'
import type { CancelTimer, Clock } from '@vedette/wire'
import type { Logger } from 'pino'
import { forwardLog } from './forward-log.ts'
import { watchSilence } from './watch-silence.ts'

export interface LocalAgentOptions {
  /** Address of this server from this machine. */
  url: string
  spoolDir: string
  logLevel: AgentSettings['logLevel']
  /** Returns a new location key, stored before it is returned. */
  mintKey(): Promise<string>
  /** Monotonic time of the last call with the key that was minted last; undefined before the first. */
  heardAt: () => number | undefined
  clock: Clock
  random: () => number
  log: Logger
  concurrency?: number | undefined
  healthPort?: number | undefined
  /** Where it is open; loopback without. */
  healthHost?: string | undefined
  reportCrashes?: boolean
  /** How long running checks may take when the server stops. */
  drainGraceMs?: number
  controlName?: string | undefined
  packetCapture?: boolean
  /** Program to start; default: the built-in agent. */
  program?: string
}

const longestRestartMs = 30_000
/** After this run time of an agent the next restart is quick again. */
const steadyMs = 60_000
/** Time after the drain for the last results and the goodbye. */
const farewellMs = 20_000
// The agent gets no setting of the server, in particular not its master key.
const passedOn = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Set by `scripts/run-node.sh`: it keeps the memory of this process small.
  'MALLOC_MMAP_THRESHOLD_',
]

/** Runs the built-in agent as a child process: starts it, replaces it when it dies or hangs, and drains it on stop. */
export class LocalAgent {
  readonly #options: LocalAgentOptions
  #child: ChildProcess | undefined
  #restart: CancelTimer | undefined
  #failures = 0
  #stopping = false
  #starting: Promise<void> = Promise.resolve()

  constructor(options: LocalAgentOptions) {
    this.#options = options
  }

  /** Process id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    this.#starting = this.#spawn()
    await this.#starting
  }

  /** The server must still answer while this drains, because the last results arrive now. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#restart?.()
    await this.#starting.catch(() => undefined)
    const child = this.#child
    if (child === undefined) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const patienceMs = (this.#options.drainGraceMs ?? 30_000) + farewellMs
    const cancel = this.#options.clock.after(patienceMs, () => {
      this.#options.log.error({ pid: child.pid, patienceMs }, 'The built-in agent does not stop; killing it.')
      child.kill('SIGKILL')
    })
    await gone
    cancel()
  }

  async #spawn(): Promise<void> {
    const options = this.#options
    const key = await options.mintKey()
    if (this.#stopping) return
    const program = options.program ?? builtInProgram
    const child = fork(program, [], {
      execArgv: processOptions(pathToFileURL(program)),
      env: Object.fromEntries(passedOn.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    const startedAt = options.clock.monotonic()
    const stopWatching = watchSilence({ ...options, onSilent: (silentMs) => this.#replace(child, silentMs) })
    child.once('exit', (code, signal) => {
      stopWatching()
      this.#left(startedAt, `code ${code}, signal ${signal}`)
    })
    child.on('error', (error) => {
      options.log.error({ err: error }, 'The built-in agent cannot be started or told to stop.')
      // A process that could not be started has no exit event.
      if (child.pid !== undefined) return
      stopWatching()
      this.#left(startedAt, error.message)
    })
    forwardLog(child, options.log)
    const message: BuiltInStart = { kind: 'start', settings: this.#settings(key) }
    // A child that died at once has no channel; its exit event is handled.
    child.send(message, (error) => {
      if (error !== null) options.log.warn({ err: error }, 'The built-in agent did not take its settings.')
    })
  }

  #settings(key: string): AgentSettings {
    const { url, spoolDir, logLevel, concurrency, healthPort, healthHost, reportCrashes, drainGraceMs, controlName } =
      this.#options
    const { packetCapture = false } = this.#options
    return {
      url,
      key,
      spoolDir,
      logLevel,
      concurrency: concurrency ?? null,
      healthPort: healthPort ?? null,
      healthHost: healthHost ?? '127.0.0.1',
      reportCrashes: reportCrashes ?? true,
      drainGraceMs: drainGraceMs ?? 30_000,
      controlName: controlName || null,
      packetCapture,
      sharesServerClock: true,
    }
  }

  /** A stopped or hung process ignores SIGTERM. Its exit starts the next one. */
  #replace(child: ChildProcess, silentMs: number): void {
    if (this.#stopping) return
    const details = { pid: child.pid, silentSeconds: Math.round(silentMs / 1000) }
    this.#options.log.error(details, 'The built-in agent exists but is silent; it is killed and started again.')
    child.kill('SIGKILL')
  }

  #left(startedAt: number, how: string): void {
    const { clock, log, random } = this.#options
    this.#child = undefined
    if (this.#stopping) return
    this.#failures = clock.monotonic() - startedAt >= steadyMs ? 0 : this.#failures + 1
    const waitMs = Math.min(longestRestartMs, 250 * 2 ** Math.min(this.#failures, 10)) * (0.5 + random() / 2)
    log.error({ how, restartInMs: Math.round(waitMs) }, 'The built-in agent ended unexpectedly; starting it again.')
    this.#restartIn(waitMs)
  }

  #restartIn(waitMs: number): void {
    const { clock, log } = this.#options
    this.#restart = clock.after(waitMs, () => {
      this.#starting = this.#spawn().catch((error: unknown) => {
        log.error({ err: error }, 'The built-in agent cannot be restarted; trying again.')
        this.#restartIn(longestRestartMs)
      })
    })
  }
}
