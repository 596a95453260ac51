// Generates the example client from the OpenAPI document of this source, where that changed, and type-checks its tour.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { npm } from './npm.mjs'
import { at, fail, hashOf, sourcesBelow, step } from './step.mjs'

const example = ['-w', 'examples/typescript-client']
const generated = at('examples', 'typescript-client', 'vedette.d.ts')
const stamp = at('.cache', 'example-client')

if (!existsSync(generated)) rmSync(stamp, { force: true })
const sources = ['wire', 'checks', 'server'].flatMap((name) => sourcesBelow(at('packages', name, 'src')))
step('example client', hashOf([...sources, at('scripts', 'openapi.ts'), at('package-lock.json')], ''), stamp, generate)
if (!npm(['run', '-s', 'types', ...example], { cwd: at() }))
  fail('The example client does not fit the OpenAPI document.')

function generate() {
  const program = ['--conditions=vedette-source', '--import', 'tsx', 'scripts/openapi.ts']
  const { status, stdout } = spawnSync(process.execPath, program, {
    cwd: at(),
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) fail('The OpenAPI document could not be made; the message is above.')
  const document = at('.cache', 'openapi.json')
  mkdirSync(at('.cache'), { recursive: true })
  writeFileSync(document, stdout)
  if (
    !npm(['run', '-s', 'generate', ...example, '--', document], { cwd: at(), stdio: ['ignore', 'ignore', 'inherit'] })
  )
    fail('The example client could not be generated; the message is above.')
}
