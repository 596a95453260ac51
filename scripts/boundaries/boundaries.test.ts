import { describe, expect, it } from 'vitest'
import { fileURLToPath } from 'node:url'
import { checkBoundaries } from './check-boundaries.ts'
import { readEntries } from './read-repository.ts'
import type { SourceFile } from './read-source.ts'
import { folderTables, network, packages, sql } from './rules.ts'

const entries = readEntries(fileURLToPath(new URL('../..', import.meta.url)))

const violationsOf = (...sources: SourceFile[]) => checkBoundaries(sources, entries).violations
const rulesOf = (path: string, text: string) => [...new Set(violationsOf({ path, text }).map(({ rule }) => rule))]

/** A file of every package that has no exceptions. */
const homes = {
  wire: 'packages/wire/src/sample.ts',
  checks: 'packages/checks/src/core/sample.ts',
  agent: 'packages/agent/src/sample.ts',
  server: 'packages/server/src/queue/sample.ts',
  web: 'packages/web/src/pages/sample.tsx',
}

const everywhere: [rule: string, text: string][] = [
  ['code-from-text', `import { runInThisContext } from 'node:vm'`],
  ['code-from-text', `import vm from 'vm'`],
  ['code-from-text', `export { runInThisContext } from 'node:vm'`],
  ['code-from-text', `const vm = await import('node:vm')`],
  ['code-from-text', `const vm = require('vm')`],
  ['code-from-text', `const vm = process.getBuiltinModule('node:vm')`],
  ['code-from-text', `createRequire(import.meta.url)('node:vm')`],
  ['code-from-text', `const load = createRequire(import.meta.url); load('node:vm')`],
  ['code-from-text', `const load = module.createRequire(import.meta.url); load('node:vm')`],
  ['code-from-text', `eval('1')`],
  ['code-from-text', `const run = (0, eval)('1')`],
  ['code-from-text', `new Function('return 1')`],
  ['code-from-text', `Function('return 1')()`],
  ['code-from-text', `globalThis.eval('1')`],
  ['code-from-text', `new Worker('1', { eval: true })`],
  ['code-from-text', `await import('data:text/javascript,1')`],
  ['network', `import axios from 'axios'`],
  ['network', `import { request } from 'undici'`],
  ['network', `import { request, type Agent } from 'node:http'`],
  ['network', `import https from 'https'`],
  ['network', `import * as http2 from 'node:http2'`],
  ['network', `import { connect, isIP } from 'node:net'`],
  ['network', `import 'node:tls'`],
  ['network', `export * from 'node:dgram'`],
  ['network', `import { lookup } from 'node:dns/promises'`],
  ['network', `const { connect } = await import('node:net')`],
  ['network', `await fetch('http://127.0.0.1')`],
  ['network', `const load = globalThis.fetch`],
  ['network', `const load = (globalThis as { fetch: () => void })['fetch']`],
  ['network', `const load = globalThis.window.fetch`],
  ['network', `const { fetch: load } = globalThis`],
  ['network', `const deps = { fetch }`],
  ['network', `new WebSocket('ws://127.0.0.1')`],
  ['network', `new XMLHttpRequest()`],
  ['network', `new window.EventSource('/v1')`],
  ['network', `navigator.sendBeacon('/v1')`],
  ['sql', `const text = 'SELECT id FROM checks'`],
  ['sql', 'const text = `\n  insert into checks (id) values (${id})`'],
  ['sql', `const text = "UPDATE checks SET name = $1"`],
  ['sql', 'const rows = sql`DELETE FROM ${table}`'],
  ['sql', `const text = 'WITH due AS (' + rest`],
  ['computed-import', `const loaded = await import(name)`],
  ['computed-import', 'const loaded = await import(`./${name}.ts`)'],
  ['computed-import', `const loaded = require(name)`],
  ['test-support', `import { it } from 'vitest'`],
  ['test-support', `import { rows } from './fixtures/rows.ts'`],
  ['test-support', `import { rows } from './rows.fixture.ts'`],
  ['test-support', `import { plane } from './test-plane.ts'`],
  ['test-support', `import { world } from './simulator/world.ts'`],
  ['test-support', `const support = await import('./testing/support.ts')`],
  ['test-support', `import type { Sample } from './sample.test.ts'`],
  ['package', `import { thing } from '../../../../other/src/thing.ts'`],
  ['package', `type Thing = import('../../../../../other/src/thing.ts').Thing`],
  ['package', `import { clock } from '@vedette/wire/src/clock.ts'`],
  ['syntax', `const = 1`],
]

describe.each(Object.entries(homes))('in %s', (_name, path) => {
  it.each(everywhere)('%s refuses %s', (rule, text) => {
    expect(rulesOf(path, text)).toContain(rule)
  })
})

const refusedImports: Record<keyof typeof homes, string[]> = {
  wire: ['@vedette/wire', '@vedette/checks', '@vedette/agent', '@vedette/server', '@vedette/web', 'node:fs', 'pg'],
  checks: ['@vedette/agent', '@vedette/server', '@vedette/web', 'pg', 'fastify'],
  agent: ['@vedette/server', '@vedette/web', 'pg', 'fastify'],
  server: ['@vedette/web', '@vedette/checks/run', '@vedette/agent/src/agent.ts'],
  web: ['@vedette/server', '@vedette/agent', '@vedette/checks/run', '@vedette/checks/net', 'node:path', 'node:crypto'],
}

describe('directions of packages', () => {
  const cases = Object.entries(refusedImports).flatMap(([name, imports]) =>
    imports.map((each) => [name, each] as const),
  )
  it.each(cases)('%s may not import %s', (name, specifier) => {
    const path = homes[name as keyof typeof homes]
    for (const text of [
      `import '${specifier}'`,
      `import type { A } from '${specifier}'`,
      `export * from '${specifier}'`,
      `await import('${specifier}')`,
    ]) {
      expect(rulesOf(path, text), text).toContain('package')
    }
  })

  it.each(Object.entries(packages))('%s may import what its rule names', (name, { mayImport }) => {
    for (const specifier of mayImport) {
      expect(entries.has(specifier), specifier).toBe(true)
      expect(rulesOf(homes[name as keyof typeof homes], `import '${specifier}'`)).toEqual([])
    }
  })

  it('a package that no rule names is refused', () => {
    expect(rulesOf('packages/other/src/index.ts', '')).toEqual(['package'])
  })
})

const server = 'packages/server/src/'

describe('folders of the server', () => {
  it.each([
    ['http/deps.ts', '../alerting/index.ts'],
    ['http/routes.ts', '../resources/checks/index.ts'],
    ['db/pool.ts', '../http/api-error.ts'],
    ['queue/memory-queue.ts', '../scheduling/scheduler.ts'],
    ['alerting/sender.ts', '../ingest/index.ts'],
    ['resources/checks/routes.ts', '../../scheduling/dispatch.ts'],
    ['agents/presence.ts', '../scheduling/dispatch.ts'],
    ['sign-in/routes.ts', '../app.ts'],
    ['api.ts', './app.ts'],
    ['ingest/ingest.ts', '../main.ts'],
    ['config.ts', './parts.ts'],
    ['main.ts', './rekey.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(rulesOf(server + path, `import type { A } from '${specifier}'`)).toEqual(['folder'])
    expect(rulesOf(server + path, `const a = await import('${specifier}')`)).toEqual(['folder'])
    expect(rulesOf(server + path, `const entry = new URL('${specifier}', import.meta.url)`)).toEqual(['folder'])
  })

  it.each(['new-folder/file.ts', 'new-file.ts'])('%s needs a row of the table', (path) => {
    expect(rulesOf(server + path, '')).toEqual(['folder'])
  })

  it.each(Object.entries(folderTables))('the table of %s names only its own rows, and no circle', (_root, table) => {
    const open = new Map(Object.entries(table))
    for (const allowed of open.values()) for (const name of allowed) expect(Object.keys(table)).toContain(name)
    const isFree = ([, allowed]: [string, readonly string[]]) => !allowed.some((name) => open.has(name))
    for (let free = [...open].filter(isFree); free.length > 0; free = [...open].filter(isFree)) {
      for (const [name] of free) open.delete(name)
    }
    expect([...open.keys()]).toEqual([])
  })
})

describe('closed folders', () => {
  it.each([
    ['packages/server/src/resources/checks/routes.ts', '../variables/store.ts'],
    ['packages/server/src/resources/checks/checks.test.ts', '../variables/store.ts'],
    ['packages/server/src/api.ts', './resources/variables/routes.ts'],
    ['packages/server/src/alerting/channels/email/send.ts', '../webhook/send.ts'],
    ['packages/server/src/alerting/channels/email/send.ts', '../webhook/index.ts'],
    ['packages/server/src/alerting/delivery/sender.ts', '../channels/webhook/send.ts'],
    ['packages/checks/src/tcp/run.ts', '../api/request.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expect(rulesOf(path, `import { a } from '${specifier}'`)).toEqual(['door'])
  })

  it.each([
    ['packages/server/src/resources/checks/routes.ts', '../variables/index.ts'],
    ['packages/server/src/resources/checks/routes.ts', './store.ts'],
    ['packages/server/src/resources/checks/routes.ts', '../api-deps.ts'],
    ['packages/server/src/alerting/channels/index.ts', './webhook/index.ts'],
    ['packages/server/src/alerting/channels/email/send.ts', '../channel-kind.ts'],
    ['packages/checks/src/tcp/run.ts', '../core/check-type.ts'],
    ['packages/checks/src/check-types.ts', './tcp/definition.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(rulesOf(path, `import { a } from '${specifier}'`)).toEqual([])
  })
})

describe('SQL', () => {
  it('in the server a call of query counts, whatever its text', () => {
    expect(rulesOf(homes.server, `await client.query(text)`)).toEqual(['sql'])
    expect(rulesOf(homes.web, `const found = document.query(text)`)).toEqual([])
  })

  it('may stand in stores of the server only', () => {
    const text = `await client.query('SELECT id FROM checks')`
    expect(rulesOf('packages/server/src/queue/store.ts', text)).toEqual([])
    expect(rulesOf('packages/server/src/queue/run-store.ts', text)).toEqual([])
    expect(rulesOf('packages/server/src/queue/restore.ts', text)).toEqual(['sql'])
    expect(rulesOf('packages/agent/src/store.ts', text)).toEqual(['sql'])
  })

  it.each(['Select a location from the list.', 'Update the check first.', 'Begin now', 'Delete from here?'])(
    'prose is none: %s',
    (prose) => {
      expect(rulesOf(homes.server, `const text = ${JSON.stringify(prose)}`)).toEqual([])
    },
  )
})

describe('files named in the rules', () => {
  it.each(network.exceptions.flatMap(({ path, uses }) => uses.map((what) => [path, what] as const)))(
    '%s may use %s and nothing else',
    (named, what) => {
      const path = named.endsWith('/') ? `${named}file.ts` : named
      const use = what === 'fetch' || what === 'EventSource' ? `new ${what}('/v1')` : `import '${what}'`
      expect(rulesOf(path, use)).toEqual([])
      expect(rulesOf(path, `import 'node:http2'`)).toContain('network')
      expect(rulesOf(path, `new WebSocket('/v1')`)).toContain('network')
    },
  )

  it.each(sql.exceptions.map(({ path }) => path))('%s may speak SQL', (path) => {
    expect(rulesOf(path, `await client.query('SELECT 1')`)).toEqual([])
  })

  it('an exception that nothing needs is reported', () => {
    const path = 'packages/agent/src/health-server.ts'
    const { stale } = checkBoundaries([{ path, text: `import 'node:http'` }], entries)
    expect(stale.map(({ message }) => message)).not.toContainEqual(expect.stringContaining(path))
    expect(stale).toContainEqual(
      expect.objectContaining({ rule: 'exception', message: expect.stringContaining('api/client.ts') }),
    )
  })
})

describe('tests', () => {
  it.each(Object.keys(homes))('of %s keep the rules that are for all files', (name) => {
    for (const folder of ['src', 'test-support']) {
      const path = `packages/${name}/${folder}/sample.test.ts`
      expect(rulesOf(path, `await import('node:vm')`)).toEqual(['code-from-text'])
      expect(rulesOf(path, `import '../../other/src/index.ts'`)).toEqual(['package'])
      expect(rulesOf(path, `import './sample.test.ts'`)).toEqual(['cycle'])
    }
  })
})

it.each(['bench/sample.ts', 'e2e/sample.test.ts', 'scripts/sample.mjs'])('%s runs no text as code either', (path) => {
  expect(rulesOf(path, `import 'node:vm'`)).toEqual(['code-from-text'])
  expect(rulesOf(path, `import '../packages/server/src/main.ts'; await fetch('http://127.0.0.1')`)).toEqual([])
})

describe('what passes', () => {
  it.each([
    [homes.wire, `import { createHash } from 'node:crypto'`],
    [homes.checks, `import type { Socket } from 'node:net'`],
    [homes.checks, `import { isIP } from 'node:net'`],
    [homes.agent, `import { STATUS_CODES, type Server } from 'node:http'`],
    [homes.server, `interface Source { fetch(): Promise<EventSource> }`],
    [homes.server, `const source = { fetch: read, eval: 1 }; source.fetch()`],
    [homes.server, `const path = createRequire(import.meta.url).resolve('tsx')`],
    [homes.server, `const run = request.query.page`],
    [homes.web, `const Page = lazy(() => import('./other-page.tsx'))`],
    [homes.web, `import '../styles.css'`],
    ['packages/server/src/queue/queue.test.ts', `import { world } from '../../test-support/simulator/world.ts'`],
    ['packages/server/src/queue/queue.test.ts', `import { serve } from '../../../checks/test-support/servers.ts'`],
    ['packages/server/src/queue/queue.test.ts', `import { createServer } from 'node:http'; await fetch(url)`],
    ['packages/server/src/queue/queue.test.ts', `import '../main.ts'; await client.query('SELECT 1')`],
    ['packages/server/test-support/plane.ts', `import { create } from '../src/resources/checks/create-check.ts'`],
    ['packages/server/test-support/plane.ts', `import { serve } from '../../checks/test-support/servers.ts'`],
  ])('%s: %s', (path, text) => {
    expect(rulesOf(path, text)).toEqual([])
  })

  it('production of one package may not import the test support of another', () => {
    const text = `import { serve } from '../../../checks/test-support/servers.ts'`
    expect(rulesOf(homes.server, text)).toEqual(['package', 'test-support'])
  })
})

describe('all files together', () => {
  const file = (path: string, text: string): SourceFile => ({ path, text })

  it('a cycle is refused, one of types too, and told once with its way', () => {
    const found = violationsOf(
      file('packages/agent/src/a.ts', `\nimport type { B } from './b.ts'`),
      file('packages/agent/src/b.ts', `export * from './c.ts'`),
      file('packages/agent/src/c.ts', `type A = import('./a.ts').A`),
      file('packages/agent/src/d.ts', `import './a.ts'`),
    )
    expect(found).toEqual([expect.objectContaining({ file: 'packages/agent/src/a.ts', line: 2, rule: 'cycle' })])
    expect(found[0]?.message).toContain(
      'agent/src/a.ts → packages/agent/src/b.ts → packages/agent/src/c.ts → packages/',
    )
  })

  it('a cycle across packages is seen through their entries', () => {
    const found = violationsOf(
      file('packages/wire/src/index.ts', `import type { A } from '@vedette/checks'`),
      file('packages/checks/src/index.ts', `import type { B } from '@vedette/wire'`),
    )
    expect(found.map(({ rule }) => rule)).toContain('cycle')
  })

  it('a file that imports itself is a cycle', () => {
    expect(rulesOf(homes.agent, `import { a } from './sample.ts'`)).toEqual(['cycle'])
  })

  it('the entry of a worker closes no circle', () => {
    const found = violationsOf(
      file('packages/agent/src/pool.ts', `new Worker(new URL('./worker.ts', import.meta.url))`),
      file('packages/agent/src/worker.ts', `import { size } from './pool.ts'`),
    )
    expect(found).toEqual([])
  })

  it('a pure entry reaches no module of Node, by whatever way', () => {
    const found = violationsOf(
      file('packages/checks/src/index.ts', `export * from './core/check-type.ts'`),
      file('packages/checks/src/core/check-type.ts', `import type { Socket } from 'node:net'\nimport './files.ts'`),
      file('packages/checks/src/core/files.ts', `\nimport { readFileSync } from 'node:fs'`),
    )
    expect(found).toEqual([
      expect.objectContaining({ file: 'packages/checks/src/core/files.ts', line: 2, rule: 'purity' }),
    ])
  })

  it('a violation names file, line, rule and what to do instead', () => {
    expect(violationsOf(file(homes.server, `\n\nawait client.query(text)`))).toEqual([
      {
        file: homes.server,
        line: 3,
        rule: 'sql',
        message: 'SQL stands in server, in a store.ts or *-store.ts: move the statement there.',
      },
    ])
  })
})
