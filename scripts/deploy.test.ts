import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { settings, type Program, type Setting } from '../packages/wire/src/configuration/index.ts'

// No image is built here: what the files of `deploy` name must be there, and be what the programs read.

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Made by a build, not in the repository. */
const built = /^(node_modules|.*\/dist(\/|$))/

/** Variables that Node, glibc and Docker read themselves. */
const ofOthers = new Set(['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'MALLOC_MMAP_THRESHOLD_'])

function unknownTo(program: Program, names: readonly string[]): string[] {
  const known = Object.values<Setting>(settings)
    .filter(({ readBy }) => readBy.includes(program))
    .flatMap(({ name, otherName }) => [name, otherName?.[program]])
  return names.filter((name) => !ofOthers.has(name) && !known.includes(name))
}

interface Stage {
  name: string
  from: string
  lines: string[]
}

/** The stages of the Dockerfile, with continued lines joined. */
function stages(): Stage[] {
  const lines = read('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const found: Stage[] = []
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? []
    if (name !== '') found.push({ name, from, lines: [] })
    else found.at(-1)?.lines.push(line)
  }
  return found
}

const instructions = ({ lines }: Stage, word: string) =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

const stage = (name: string): Stage => {
  const found = stages().find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no stage ${name}`)
  return found
}

describe('the Dockerfile', () => {
  test('copies only what is there or was built, from stages that come before', () => {
    const known: string[] = []
    for (const each of stages()) {
      for (const copied of instructions(each, 'COPY').map((text) => text.split(' '))) {
        const from = copied.find((word) => word.startsWith('--from='))?.slice('--from='.length)
        const sources = copied.filter((word) => !word.startsWith('--')).slice(0, -1)
        if (from === undefined) expect(sources).toEqual(['.'])
        else expect(known).toContain(from)
        const inRepository = sources
          .filter((path) => path.startsWith('/app/'))
          .map((path) => path.slice('/app/'.length))
        expect(inRepository.filter((path) => !built.test(path) && !existsSync(join(root, path)))).toEqual([])
      }
      known.push(each.name)
    }
    expect(known).toEqual(['build', 'build-agent', 'build-server', 'base', 'agent', 'server'])
  })

  test.each(['agent', 'server'] as const)(
    'runs the %s as a user without rights, watched, with its own settings',
    (name) => {
      const [base, own] = [stage('base'), stage(name)]
      expect(own.from).toBe('base')
      expect(instructions(own, 'USER')).toEqual(['node'])
      expect(instructions(own, 'HEALTHCHECK')[0]).toContain('/-/liveness')
      const variables = [base, own].flatMap((each) => instructions(each, 'ENV')).flatMap((text) => text.split(' '))
      expect(
        unknownTo(
          name,
          variables.map((text) => text.split('=')[0] ?? ''),
        ),
      ).toEqual([])
      expect(instructions(base, 'RUN').join()).toContain('mtr-tiny')
    },
  )

  test('starts programs that are there', () => {
    const [, file = ''] = /@vedette\/agent\/(\S+?)"/.exec(instructions(stage('agent'), 'CMD').join()) ?? []
    expect(existsSync(join(root, 'packages/agent', file))).toBe(true)
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const command = JSON.parse(instructions(stage('server'), 'CMD').join()) as string[]
    expect(scripts['start']).toBe(command.join(' '))
  })
})

test.each(['compose.yaml', 'compose.agent.yaml'])('%s builds a stage of the Dockerfile', (file) => {
  const [, target] = /dockerfile: deploy\/Dockerfile, target: (\w+)/.exec(read(`deploy/${file}`)) ?? []
  expect(['agent', 'server']).toContain(target)
})

const valuesOf = (unit: string, name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe.each([
  ['vedette-agent.service', 'agent'],
  ['vedette.service', 'server'],
] as const)('%s', (file, program) => {
  const unit = read(`deploy/systemd/${file}`)

  test('sets what its program reads, and keeps its data over restarts', () => {
    const variables = valuesOf(unit, 'Environment').map((text) => text.split('=')[0] ?? '')
    expect(unknownTo(program, variables)).toEqual([])
    const [state = ''] = valuesOf(unit, 'StateDirectory')
    expect(valuesOf(unit, 'Environment').join()).toContain(`=%S/${state}`)
  })

  test('gives a stop more time than running checks may take', () => {
    const drain = Object.values<Setting>(settings).find(({ name }) => name === 'VEDETTE_DRAIN_SECONDS')
    const [seconds] = valuesOf(unit, 'TimeoutStopSec').map(Number)
    expect(seconds).toBeGreaterThan(Number(drain?.default) + 15)
  })

  test('lets mtr-packet ping although nothing gains privileges', () => {
    expect(valuesOf(unit, 'DynamicUser')).toEqual(['yes'])
    expect(valuesOf(unit, 'AmbientCapabilities')).toEqual(['CAP_NET_RAW'])
    expect(valuesOf(unit, 'CapabilityBoundingSet')).toEqual(['CAP_NET_RAW'])
  })

  test('starts a program that is there', () => {
    const [start = ''] = valuesOf(unit, 'ExecStart')
    const named = start.split(' ').filter((word) => /\.(js|sh)$/.test(word))
    const paths = named.map((path) => path.replace('node_modules/@vedette/agent', 'packages/agent'))
    expect(paths.filter((path) => !built.test(path) && !existsSync(join(root, path)))).toEqual([])
    expect(named).not.toEqual([])
  })

  const analyze = (args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })

  test.skipIf(analyze(['--version']).status !== 0)('is understood by systemd, which finds little to harden', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-unit-'))
    try {
      // The program of the installation is not on this machine.
      const here = unit
        .replace(/^WorkingDirectory=.*$/m, '')
        .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
      writeFileSync(join(folder, file), here)
      const { status, stderr } = analyze(['verify', '--man=no', join(folder, file)])
      const problems = stderr.split('\n').filter((line) => line.includes(file))
      expect([problems, status]).toEqual([[], 0])
      const security = analyze(['security', '--offline=yes', '--threshold=35', join(folder, file)])
      expect(security.status, security.stdout).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test('the example of settings of the agent names settings, and those that must be set have a value', () => {
  const lines = read('deploy/systemd/agent.env.example').split('\n')
  const entries = lines.flatMap((line) => /^(#?)([A-Z_]+)=(.+)$/.exec(line)?.slice(1) ?? [])
  const names = entries.filter((_, at) => at % 3 === 1)
  expect(unknownTo('agent', names)).toEqual([])
  expect(lines.filter((line) => /^(VEDETTE_URL|API_KEY)=\S/.test(line))).toHaveLength(2)
})
