import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The product started as users start it: real processes on a data directory of its own. */
export interface Product {
  url: string
  accountId: string
  apiKey: string
  signInLink: string
  dataDir: string
  process: ChildProcess
  /** Everything it printed so far. */
  output(): string
  /** Calls the API. Where it is called too often, it waits as long as the answer says and calls again. */
  api<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; body: T; headers: Headers }>
  /** Makes something by a POST. Returns its id; throws what was answered if that is not 201. */
  create(path: string, body: object): Promise<string>
  /** Sends SIGTERM and waits; the data directory stays. */
  stop(): Promise<number | null>
  /** kill -9 and wait. */
  kill(): Promise<void>
}

export interface ProductOptions {
  /** The checkout to start, built before; this one unless stated. */
  folder?: string
  dataDir?: string
  env?: Record<string, string>
  apiKey?: string
}

export const newDataDir = () => mkdtemp(join(tmpdir(), 'vedette-story-'))

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await newDataDir())
  const apiKey = options.apiKey ?? 'vdu_story_key_of_the_first_admin'
  const folder = options.folder ?? root
  const [program, ...given] = await startCommand(folder)
  const child = spawn(program, given, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      npm_node_execpath: process.execPath,
      VEDETTE_PORT: '0',
      VEDETTE_DATA_DIR: dataDir,
      VEDETTE_BOOTSTRAP_API_KEY: apiKey,
      // Its failure on purpose would be one more alert than those that a story expects.
      VEDETTE_CANARY: 'off',
      ...options.env,
    },
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const notice = await readyNotice(child, () => output)
  return { ...notice, apiKey, dataDir, process: child, output: () => output, ...controls(child, notice.url, apiKey) }
}

/** The command of `npm start` in a checkout, with the Node of this process. */
async function startCommand(folder: string): Promise<[string, ...string[]]> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [program = '', ...given] = scripts.start.split(' ')
  return [program === 'node' ? process.execPath : program, ...given]
}

async function readyNotice(child: ChildProcess, output: () => string) {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The product ended with ${code} before it was ready:\n${output()}`)
  })
  while (!output().includes('Stop with Ctrl-C'))
    await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), exited])
  exited.catch(() => undefined)
  const found = (pattern: RegExp) => pattern.exec(output())?.[1] ?? ''
  return {
    url: found(/ready at (http\S+)/),
    accountId: found(/Account id: (\S+)/),
    signInLink: found(/(http\S+\/sign-in\?token=\S+)/),
  }
}

function controls(child: ChildProcess, url: string, apiKey: string) {
  const ended = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return child.exitCode
  }
  const api = async <T>(method: string, path: string, body?: unknown, key = apiKey) => {
    const send = () =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    let response = await send()
    while (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
      response = await send()
    }
    const text = await response.text()
    return {
      status: response.status,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
      headers: response.headers,
    }
  }
  return {
    api,
    create: async (path: string, body: object) => {
      const answer = await api<{ id: string | number }>('POST', path, body)
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return String(answer.body.id)
    },
    stop: () => ended('SIGTERM'),
    kill: async () => void (await ended('SIGKILL')),
  }
}

export const removeDataDir = (dataDir: string) => rm(dataDir, { recursive: true, force: true })

/** An API key may list results five times in ten seconds: polls at this interval stay just within it. */
export const betweenResultReads = 2100

/** Polls until `ask` returns a value. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  withinMs = 60_000,
  everyMs = 100,
): Promise<T> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`Waited ${withinMs / 1000} s for: ${what}`)
}
