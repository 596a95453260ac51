// Starts a throw-away PostgreSQL for tests.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from './find-postgres.mjs'

const waitMs = 30_000

/** PostgreSQL refuses to run as root: there it runs as the first of these users that exists. */
function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }))
    if (uid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.')
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function initialise(binaries, folder, user) {
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = ['-U', 'vedette', `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--no-sync']
  const made = spawnSync(join(binaries, 'initdb'), ['-D', data, ...options], { ...user, cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`)
  return { data, password }
}

async function waitUntilReady(binaries, port, server) {
  const end = Date.now() + waitMs
  while (Date.now() < end) {
    if (server.exitCode !== null) break
    const answer = spawnSync(join(binaries, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
    if (answer.status === 0) return
    await sleep(100)
  }
  throw new Error('PostgreSQL did not start; its messages are above.')
}

/** Resolves with the exit code of a child process. */
export const ended = (child) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode ?? 1)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))

async function startIn(folder) {
  const binaries = findPostgres()
  if (!binaries) {
    throw new Error('No PostgreSQL server programs were found. On Debian: apt-get install postgresql')
  }
  const user = unprivilegedUser()
  const { data, password } = initialise(binaries, folder, user)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    log_min_messages: 'fatal',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...options], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    // The server is in a process group of its own: Ctrl-C must reach the command first, and the server after it.
    detached: true,
  })
  const stop = async () => {
    server.kill('SIGINT')
    await ended(server)
  }
  try {
    await waitUntilReady(binaries, port, server)
  } catch (error) {
    await stop()
    throw error
  }
  // At once, as when its host goes down.
  const kill = async () => {
    server.kill('SIGQUIT')
    await ended(server)
  }
  return { url: `postgresql://vedette:${password}@127.0.0.1:${port}/postgres`, stop, kill }
}

/** Starts an empty PostgreSQL on a free port, with its files in a folder of `under`; `stop` ends it and removes them. */
export async function startPostgres({ under = tmpdir() } = {}) {
  const folder = mkdtempSync(join(under, 'vedette-postgres-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const { url, stop, kill } = await startIn(folder)
    return { url, kill, stop: () => stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
