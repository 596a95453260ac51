// Makes a fresh clone runnable: installs what the lock file names and builds what runs. Node built-ins only.
import { readdirSync } from 'node:fs'
import { build } from './build.mjs'
import { npm } from './npm.mjs'
import { at, fail, hashOf, say, step } from './step.mjs'

checkNode()
step('dependencies', dependenciesStamp(), at('node_modules', '.vedette-install'), install)
build()

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Vedette needs Node 20.19 or newer; this is ${process.version}. Install Node 24 and try again.`)
}

function dependenciesStamp() {
  const manifests = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(at(folder)).map((name) => at(folder, name, 'package.json')),
  )
  return hashOf(
    [at('package.json'), at('package-lock.json'), ...manifests],
    `${process.versions.modules} ${process.platform} ${process.arch}`,
  )
}

function install() {
  say('installing dependencies (once; about a minute without a package cache)')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  if (npm(['ci', ...quiet], { cwd: at() })) return
  say('the lock file does not fit; installing from the manifests instead')
  if (!npm(['install', ...quiet], { cwd: at() })) {
    fail('npm could not install the dependencies. Its message is above; check the network and try again.')
  }
}
