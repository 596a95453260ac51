import { Registry } from 'prom-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { locationLoads } from '../agents/index.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { forgetChecks, givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { givenPrivateKey, givenPrivateLocation } from '../../test-support/private-locations.ts'
import { privateLocationMetrics } from './private-location-metrics.ts'

const database = useEmptiedDatabase()
let plane: Plane
let registry: Registry

beforeEach(async () => {
  await forgetChecks(database.db)
  const own = privateLocationMetrics()
  plane = await givenPlane(database.db, undefined, own.leased)
  registry = new Registry()
  own.register(registry, () => (plane.dispatch.isLeading() ? locationLoads(plane.dispatch, plane.agents) : []))
})
afterEach(() => plane.stop())

async function valuesOf(location: string): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line.includes(`location="${location}"`))
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', labels = '', value = ''] = /^vedette_private_location_(\w+)\{(.*)\} (\S+)$/.exec(line) ?? []
      const quantile = /quantile="([^"]+)"/.exec(labels)?.[1]
      return [quantile === undefined ? name : `${name} ${quantile}`, Number(value)]
    }),
  )
}

test('tell of each private location its queue, how long runs waited there, and its agents', async () => {
  const accountId = await givenAccount(database.db)
  const location = await givenPrivateLocation(database.db, accountId, 'office')
  const key = await givenPrivateKey(database.db, { accountId, location, slug: 'office' })
  plane.agents.keys.forget()
  const agent = new TestAgent(plane, key)
  await agent.hello()
  const none = { waiting_runs: 0, oldest_wait_seconds: 0, leased_runs: 0, agents: 1 }
  expect(await valuesOf(location)).toEqual(none)

  const definition = { locations: null, privateLocations: [location] }
  for (const waits of [20_000, 0]) {
    const { id } = await givenCheck(plane, { accountId, definition })
    await plane.dispatch.checkChanged(id)
    await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
    await plane.clock.advance(waits)
  }
  expect(await valuesOf(location)).toEqual({ ...none, waiting_runs: 2, oldest_wait_seconds: 20 })
  expect(await agent.lease()).toHaveLength(2)
  const after = await valuesOf(location)
  expect(after).toMatchObject({ waiting_runs: 0, oldest_wait_seconds: 0, leased_runs: 2, agents: 1 })
  expect(after).toMatchObject({ queue_seconds_count: 2, queue_seconds_sum: 20, 'queue_seconds 0.99': 20 })

  await plane.clock.advance(61_000)
  expect(await valuesOf(location)).toMatchObject({ agents: 0 })
})

test('tell nothing of regions, of a location without a key, and while another server leads', async () => {
  const accountId = await givenAccount(database.db)
  const location = await givenPrivateLocation(database.db, accountId, 'cellar')
  const builtin = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  const { id } = await givenCheck(plane, { accountId })
  await plane.dispatch.checkChanged(id)
  await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  expect(await builtin.lease()).toHaveLength(1)
  expect(await valuesOf(location)).toEqual({})
  expect(await valuesOf('eu-west-1')).toEqual({})
  await givenPrivateKey(database.db, { accountId, location, slug: 'cellar' })
  plane.agents.keys.forget()
  await plane.agents.keys.list()
  expect(await valuesOf(location)).toMatchObject({ agents: 0 })
  await database.db.pool.query('UPDATE leadership SET epoch = epoch + 1')
  for (let waits = 0; waits < 20 && plane.dispatch.isLeading(); waits++) await plane.clock.advance(500)
  expect(await valuesOf(location)).toEqual({})
})
