import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { UsageError } from '../options.ts'

const version = '2.0.0-dev.0'
const inPackages = join('node_modules', 'uptime-kuma')
const entry = join('server', 'server.js')

const byHand =
  'Install it yourself (its README says how) and give the folder that holds server/server.js with --peer-dir.'

/** The folder of its program: in the one given, or in a cache, where npm installs it once. */
export function kumaFolder(given: string | undefined): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'vedette-bench', 'kuma')
  const folder = given === undefined ? cache : resolve(given)
  if (given === undefined && !existsSync(join(folder, inPackages, entry))) install(folder)
  const found = [folder, join(folder, inPackages)].find((each) => existsSync(join(each, entry)))
  if (found === undefined) throw new UsageError(`${folder} holds no Uptime Kuma. ${byHand}`)
  return found
}

export const kumaVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

function install(folder: string): void {
  console.error(`whole: installing uptime-kuma@${version} with npm into ${folder} (once; some minutes)`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', `uptime-kuma@${version}`, '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    throw new UsageError(`npm could not install uptime-kuma@${version}; its message is above. ${byHand}`)
  moveMigrations(join(folder, inPackages, 'db'))
}

/** This version looks for some of its migrations in a folder below the one in which its package has them. */
function moveMigrations(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.endsWith('.sql')) copyFileSync(join(folder, name), join(folder, 'old_migrations', name))
}
