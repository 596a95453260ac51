import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf, sendUntilAccepted, type Accepted } from '../test-support/bodies/accepted-body.ts'
import { arbitraryOf } from '../test-support/bodies/arbitrary-body.ts'
import type { BodySchema } from '../test-support/bodies/body-schema.ts'
import { brokenBodies, type BrokenBody } from '../test-support/bodies/broken-bodies.ts'
import { readDifferently, type Difference } from '../test-support/bodies/read-differently.ts'
import {
  addressOf,
  leastBody,
  readingAddress,
  schemasOf,
  sendWith,
  writeRoutes,
  type Json,
  type Send,
  type WriteRoute,
} from '../test-support/bodies/write-routes.ts'
import { givenAccount, useEmptiedDatabase } from '../test-support/database.ts'
import { givenKey } from '../test-support/http.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'
import { notFound } from './api-error.ts'
import type { App } from './http/build-http.ts'

const database = useEmptiedDatabase()
let app: App
/** The first account operates the installation. */
let operator: string

beforeAll(async () => {
  app = await givenWholeApp(database.db, {
    rateLimit: { max: 1_000_000, windowSeconds: 60, ofRoutes: false },
    // This server does not schedule.
    canary: { run: () => Promise.resolve(undefined), read: () => Promise.reject(notFound('canary')) },
  })
  operator = await givenAccount(database.db)
})

const freshSeed = randomInt(2 ** 31)
const seeds: [name: string, seed: number, numRuns: number][] = [
  ['from the seed 1', 1, 3],
  [`from the seed ${freshSeed}, drawn for this run`, freshSeed, 1],
]
/** Broken forms of each body that are sent. */
const breaks = 8
const givenTime = { timeout: 120_000 }

type BodyRoute = WriteRoute & { body: BodySchema }

const bodyRoutes = (): BodyRoute[] =>
  writeRoutes(app).flatMap((route) => (route.body === undefined ? [] : { ...route, body: route.body }))
const nameOf = ({ method, url }: Pick<WriteRoute, 'method' | 'url'>) => `${method} ${url}`

async function givenSend({ access }: WriteRoute) {
  const account = access === 'operator' ? operator : await givenAccount(database.db)
  return sendWith(app, await givenKey(database.db, account, 'admin'))
}

/** Bodies that the schema of the route allows, each with numbers that pick ways to break it. */
function samplesOf({ body }: BodyRoute, seed: number, numRuns: number) {
  const known = { locations: fc.constantFrom(['eu-west-1'], ['eu-west-1', 'us-east-1'], []) }
  const bodies = arbitraryOf(body, { schemas: schemasOf(app), known, now: new Date() })
  return fc.sample(fc.tuple(bodies, fc.array(fc.nat(), { minLength: breaks, maxLength: breaks })), { seed, numRuns })
}

/** Whether an answer says that something is wrong at the path, in what is there, or in what holds it. */
const isNamed = (json: Json, path: string) =>
  path === '' ||
  fieldsOf(json).some((field) => field === path || path.startsWith(`${field}.`) || field.startsWith(`${path}.`))

test('every route that writes is in the document, or among those of signing in and of events', () => {
  const others = writeRoutes(app).filter(({ isDocumented }) => !isDocumented)
  expect(others.map(({ url }) => url).filter((url) => !/^\/(session|events)(\/|$)/.test(url))).toEqual([])
  expect(bodyRoutes().length).toBeGreaterThan(50)
})

describe('every route with a body takes what its schema allows, and names what is wrong in what it refuses', () => {
  test.each(seeds)('%s', givenTime, async (_, seed, numRuns) => {
    let refused = 0
    for (const route of bodyRoutes()) {
      const send = await givenSend(route)
      const url = await addressOf(route.url, send)
      for (const [given, picks] of samplesOf(route, seed, numRuns)) {
        const taken = await sendUntilAccepted((body) => send(route.method, url, body), given, leastBody(route))
        await expectTaken(route, taken, send)
        const broken = taken.status === 400 ? [] : brokenBodies(taken.body, route.body, schemasOf(app))
        for (const one of picks.flatMap((pick) => broken[pick % broken.length] ?? [])) {
          expectRefused(route, one, await send(route.method, url, one.text()))
          refused++
        }
      }
    }
    expect(refused).toBeGreaterThan(numRuns * 300)
  })
})

/** What is created is read back as it was sent. What stays refused names why: a stored field can contradict the body. */
async function expectTaken(route: BodyRoute, { body, status, json }: Accepted, send: Send): Promise<void> {
  const shown = `${nameOf(route)} with ${JSON.stringify(body)}: ${JSON.stringify(json)}`
  expect([200, 201, 202, 204, 400, 404, 408, 409, 503], shown).toContain(status)
  if (status === 400) expect(fieldsOf(json), shown).not.toEqual([])
  const address = status === 201 ? readingAddress(app, route.url, json) : undefined
  if (address === undefined) return
  const read = await send('GET', address, undefined)
  expect(read.status, shown).toBe(200)
  expect(
    readDifferently(json, read.json).filter(({ path }) => !path.endsWith('.rawKey')),
    shown,
  ).toEqual([])
  expect(
    readDifferently(body, read.json).filter((one) => !isMeantSo(one, body as Json)),
    shown,
  ).toEqual([])
}

function expectRefused(
  route: BodyRoute,
  { what, path }: BrokenBody,
  { status, json }: Awaited<ReturnType<Send>>,
): void {
  const shown = `${nameOf(route)}, ${what} at "${path}": ${JSON.stringify(json)}`
  expect(status, shown).toBe(400)
  expect(isNamed(json, path), shown).toBe(true)
}

/** Differences between what is sent and read that the documentation tells. */
function isMeantSo({ path, sent, read }: Difference, body: Json): boolean {
  if (read === '******' || (path === 'value' && body['secret'] === true)) return true
  // Sent instead of leaving a field out.
  if (sent === null || sent === '') return true
  if (path === 'retryStrategy.maxRetries') return (body['retryStrategy'] as Json)['type'] === 'SINGLE_RETRY'
  // Other names of `hostname` and `data`.
  return path === 'request.url' || path === 'request.body'
}

test('every route with something in its address says that there is no such thing, whatever stands there', async () => {
  const names = [
    '2147483648',
    '9223372036854775808',
    '99999999999999999999',
    '-1',
    '1.5',
    '1e3',
    'null',
    '%00',
    '%F0%9F%A7%AA',
    '..%2f',
  ]
  const routes = app.routeTable.filter(
    ({ url, access, method }) => /^\/v\d\/.*:/.test(url) && access !== 'agent' && method !== 'HEAD',
  )
  expect(routes.length).toBeGreaterThan(50)
  const send = sendWith(app, await givenKey(database.db, operator, 'admin'))
  for (const route of routes) {
    const body = writeRoutes(app).find((one) => nameOf(one) === nameOf(route))?.body
    for (const name of names) {
      const url = route.url.replaceAll(/:\w+/g, name)
      const { status, json } = await send(route.method, url, body && leastBody(route))
      expect([400, 404], `${route.method} ${url}: ${JSON.stringify(json)}`).toContain(status)
    }
  }
})
