// Compiles each package to plain JavaScript in its `dist`, file by file, and builds the web app. Node built-ins only.
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFolder } from './replace-folder.mjs'
import { at, fail, hashOf, say, sourcesBelow, step } from './step.mjs'

const compiled = ['wire', 'checks', 'agent', 'server']
/** Files that a package reads at run time and that the compiler does not copy. */
const assets = { server: ['db/migrations'] }

if (process.argv[1] === fileURLToPath(import.meta.url)) build()

/** Builds what changed since the last build. */
export function build() {
  buildPackages()
  step('web app', webStamp(), at('packages', 'web', 'dist', '.vedette-build'), buildWeb)
}

/** The same without the web app. */
export function buildPackages() {
  for (const name of compiled) {
    step(`package ${name}`, packageStamp(name), at('packages', name, 'dist', '.vedette-build'), () => compile(name))
  }
}

function packageStamp(name) {
  const settings = [at('tsconfig.json'), at('tsconfig.build.json'), at('packages', name, 'tsconfig.build.json')]
  return hashOf([...sourcesBelow(at('packages', name, 'src')), ...settings, at('package-lock.json')], '')
}

function webStamp() {
  const sources = ['web/src', 'wire/src', 'checks/src'].flatMap((folder) => sourcesBelow(at('packages', folder)))
  const shell = ['index.html', 'vite.config.ts', 'package.json'].map((file) => at('packages', 'web', file))
  return hashOf([...sources, ...shell, at('package-lock.json')], '')
}

function compile(name) {
  const settings = at('packages', name, 'tsconfig.build.json')
  replaceFolder(at('packages', name, 'dist'), (folder) => {
    const tsc = [at('node_modules', 'typescript', 'bin', 'tsc'), '-p', settings, '--outDir', folder]
    run(tsc, at(), `Package ${name}`)
    for (const path of assets[name] ?? []) {
      cpSync(at('packages', name, 'src', path), join(folder, path), { recursive: true })
    }
  })
}

function buildWeb() {
  say('building the web app')
  const vite = [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'error']
  run(vite, at('packages', 'web'), 'The web app')
}

function run(program, cwd, what) {
  // Vitest sets NODE_ENV=test, with which Vite would build the development version of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, program, { cwd, stdio: 'inherit', env })
  if (status !== 0) fail(`${what} could not be built; the message is above.`)
}
