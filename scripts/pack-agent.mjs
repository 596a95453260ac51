// Packs the agent so that it can be installed anywhere. `wire` and `checks` are in no registry, so they are bundled
// with it. npm does not pack a bundled package that is a link into a workspace, so everything is copied to real folders
// first.
// Usage: node scripts/pack-agent.mjs [folder of the package; artifacts by default]
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from './build.mjs'
import { npm } from './npm.mjs'
import { at, fail, say } from './step.mjs'

const bundled = ['wire', 'checks']
const manifestOf = (name) => JSON.parse(readFileSync(at('packages', name, 'package.json'), 'utf8'))

build()
const target = resolve(process.argv[2] ?? at('artifacts'))
const stage = mkdtempSync(join(tmpdir(), 'vedette-pack-'))
try {
  layOut()
  say(`packed ${join(target, pack())}`)
} finally {
  rmSync(stage, { recursive: true })
}

function layOut() {
  for (const name of bundled) layOutPackage(name, join(stage, 'node_modules', '@vedette', name), inside(name))
  layOutPackage('agent', stage, agentManifest())
  for (const file of ['bin', 'README.md', 'CHANGELOG.md']) copy(at('packages', 'agent', file), join(stage, file))
  copy(at('LICENSE'), join(stage, 'LICENSE'))
}

function layOutPackage(name, folder, manifest) {
  mkdirSync(folder, { recursive: true })
  copy(at('packages', name, 'dist'), join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function copy(from, to) {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.vedette-build') })
}

/** The package holds no source: only the compiled file of each export is listed. */
function inside(name) {
  const { version, license, type, exports } = manifestOf(name)
  const compiled = Object.entries(exports).map(([path, targets]) => [path, targets.default])
  return { name: `@vedette/${name}`, version, license, type, exports: Object.fromEntries(compiled) }
}

/** The dependencies of the bundled packages are listed as the agent's, so that npm installs them. */
function agentManifest() {
  const { bin, engines } = manifestOf('agent')
  const own = ['agent', ...bundled].map((name) => manifestOf(name).dependencies)
  const fromRegistry = Object.entries(Object.assign({}, ...own)).filter(([name]) => !name.startsWith('@vedette/'))
  const carried = bundled.map((name) => [`@vedette/${name}`, manifestOf(name).version])
  return {
    ...inside('agent'),
    bin,
    engines,
    dependencies: Object.fromEntries([...carried, ...fromRegistry]),
    bundleDependencies: bundled.map((name) => `@vedette/${name}`),
  }
}

function pack() {
  mkdirSync(target, { recursive: true })
  const args = ['pack', stage, '--pack-destination', target, '--loglevel=error']
  const packed = npm(args, { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!packed) fail('npm could not pack the agent; its message is above.')
  return `vedette-agent-${manifestOf('agent').version}.tgz`
}
