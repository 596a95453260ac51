import { expect } from 'vitest'
import type { Job } from '@vedette/wire'
import { checkTypes, runModeOf } from '../src/check-types.ts'
import type { AnyCheckType, Definition, Run } from '../src/core/check-type.ts'
import { createSchema } from '../src/core/definition/check-schema.ts'
import { completeDefinition } from '../src/core/definition/complete-definition.ts'
import { pathsOfTemplate, type ResultPart, type ResultSection } from '../src/core/result-view.ts'
import { valueAt } from '../src/core/value-at.ts'

export const checkId = '11111111-2222-4333-8444-555555555555'
export const eventToken = '99999999-8888-4777-8666-555555555555'

/** How a target behaves. */
export type Behaviour = 'well' | 'refuses' | 'silent'

/** A target of the suite. `run` stands in where nothing on this machine behaves like that. */
export interface Target {
  port: number
  /** Part of the target's name. */
  named: string
  run?: Run<Definition, unknown>
  close(): Promise<unknown>
}

/** What `contract.fixture.ts` of a type's folder exports. */
interface Fixture {
  /** `host` as it stands in URLs: IPv6 in brackets. */
  leastCheck(port: number, host?: string): { name: string; request?: Record<string, unknown> }
  /** What a healthy target says to whoever connects, or answers what it receives; of types that agents run. */
  goodAnswer?: { text: string | ((received: Buffer) => Buffer); statusCode: number | null }
  /** Starts a target; left out by types that connect to a TCP port. */
  startTarget?(behaviour: Behaviour): Promise<Target>
  /** What a run is to see when all is well; of types without a runner. */
  goodEvidence?: unknown
}

async function loadFixture({ path }: AnyCheckType): Promise<Fixture> {
  const file = new URL(`../src/${path}/contract.fixture.ts`, import.meta.url).href
  return (await import(/* @vite-ignore */ file)) as Fixture
}

const fixtures = new Map<AnyCheckType, Fixture>()
for (const type of checkTypes) fixtures.set(type, await loadFixture(type))

export function fixtureOf(type: AnyCheckType): Fixture {
  const fixture = fixtures.get(type)
  if (fixture === undefined) throw new Error(`${type.path}/contract.fixture.ts is missing`)
  return fixture
}

/** What a healthy target of a type answers that agents run. */
export function goodAnswerOf(type: AnyCheckType): NonNullable<Fixture['goodAnswer']> {
  const { goodAnswer } = fixtureOf(type)
  if (goodAnswer === undefined) throw new Error(`${type.path}/contract.fixture.ts says nothing of a good answer`)
  return goodAnswer
}

/** The complete definition of the smallest check a user can send. */
export const leastDefinition = (type: AnyCheckType, port = 9, host?: string) =>
  completeDefinition(type, createSchema(type).parse(fixtureOf(type).leastCheck(port, host)), checkId, eventToken)

/** Every type that agents run, with its title and how it is run. */
export const runnableTypes = checkTypes.flatMap((type) => {
  const mode = runModeOf(type)
  return mode === undefined ? [] : [[type.title, type, mode] as const]
})

/** A job of a type as a server would lease it. */
export const jobOf = (type: AnyCheckType, definition: Definition, more: Partial<Job> = {}): Job => ({
  attemptId: checkId,
  lease: '',
  leaseExpiresAt: 0,
  leasedAt: 0,
  checkId,
  checkName: 'least',
  type: type.type,
  workerClass: 'network',
  location: 'eu-west-1',
  emulated: true,
  dueAt: 0,
  attempt: 0,
  definition,
  variables: [],
  egress: { privateTargets: true, deniedTargets: [] },
  timeoutMs: 5000,
  ...more,
})

function missingInPart(part: ResultPart, of: unknown): string[] {
  const missing = (paths: readonly string[], within: unknown) =>
    paths.filter((path) => valueAt(within, path) === undefined)
  switch (part.kind) {
    case 'line':
      return missing(
        part.spans.flatMap(({ text }) => pathsOfTemplate(text)),
        of,
      )
    case 'facts':
      return missing(
        part.facts.map(({ path }) => path),
        of,
      )
    case 'phases':
      return missing([...part.phases.map(({ name }) => name), part.total], valueAt(of, part.path))
    case 'text':
      return missing([part.path, ...(part.truncatedPath === undefined ? [] : [part.truncatedPath])], of)
    case 'table':
      return listed(of, part.path).flatMap((row) =>
        missing(
          part.columns.map(({ path }) => path),
          row,
        ),
      )
    case 'items':
      return listed(of, part.path).flatMap((item) => [
        ...missing(pathsOfTemplate(part.title), item),
        ...part.parts.flatMap((each) => missingInPart(each, item)),
      ])
    default:
      return missing([part.path], of)
  }
}

const listed = (of: unknown, path: string): unknown[] => {
  const list = valueAt(of, path)
  return Array.isArray(list) ? list : [undefined]
}

/** Paths that a view reads and a result does not have. */
export const missingPaths = (view: readonly ResultSection[], part: unknown): string[] =>
  view.flatMap(({ about, otherwise, parts }) => [
    ...[about, otherwise?.troublePath].filter((path) => path !== undefined && valueAt(part, path) === undefined),
    ...parts.flatMap((each) => missingInPart(each, part)),
  ]) as string[]

/** The type-specific part of a result has every field of its schema and no other. */
export function expectExactPart({ resultKey, resultSchema }: AnyCheckType, result: Record<string, unknown>): void {
  if (resultKey === null) return
  expect(resultSchema?.parse(result[resultKey])).toEqual(result[resultKey])
}
