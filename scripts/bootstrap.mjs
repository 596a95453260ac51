// Makes a fresh clone runnable: installs what the lock file names and builds the web app. Node built-ins only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const at = (...parts) => join(root, ...parts)

checkNode()
step('dependencies', dependenciesStamp(), at('node_modules', '.vedette-install'), install)
step('web app', webStamp(), at('packages', 'web', 'dist', '.vedette-build'), buildWeb)

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Vedette needs Node 20.19 or newer; this is ${process.version}. Install Node 24 and try again.`)
}

/** Runs `work` when what it depends on changed since it last succeeded. */
function step(name, wanted, stampFile, work) {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const started = Date.now()
  work()
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
  say(`${name} ready (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

function dependenciesStamp() {
  const manifests = readdirSync(at('packages')).map((name) => at('packages', name, 'package.json'))
  return hashOf(
    [at('package.json'), at('package-lock.json'), ...manifests],
    `${process.versions.modules} ${process.platform} ${process.arch}`,
  )
}

function webStamp() {
  const sources = ['web/src', 'wire/src', 'checks/src'].flatMap((folder) => filesBelow(at('packages', folder)))
  const shell = ['index.html', 'vite.config.ts', 'package.json'].map((file) => at('packages', 'web', file))
  return hashOf([...sources, ...shell, at('package-lock.json')], '')
}

function install() {
  say('installing dependencies (once; about a minute without a package cache)')
  if (npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])) return
  say('the lock file does not fit; installing from the manifests instead')
  if (!npm(['install', '--no-audit', '--no-fund', '--loglevel=error'])) {
    fail('npm could not install the dependencies. Its message is above; check the network and try again.')
  }
}

function buildWeb() {
  say('building the web app')
  const { status } = spawnSync(
    process.execPath,
    [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'error'],
    {
      cwd: at('packages', 'web'),
      stdio: 'inherit',
    },
  )
  if (status !== 0) fail('The web app could not be built; the message is above.')
}

function npm(args) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []]
  return spawnSync(command, [...first, ...args], { cwd: root, stdio: 'inherit' }).status === 0
}

function hashOf(files, extra) {
  const hash = createHash('sha256').update(extra)
  for (const file of files.filter((name) => existsSync(name)))
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => statSync(name).isFile() && !name.includes('.test.'))
    .toSorted()
}

function say(text) {
  process.stdout.write(`vedette: ${text}\n`)
}

function fail(text) {
  process.stderr.write(`vedette: ${text}\n`)
  process.exit(1)
}
