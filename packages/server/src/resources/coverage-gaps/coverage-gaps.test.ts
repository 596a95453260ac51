import { expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { givenApi } from '../../../test-support/api.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { insertLocationGap } from '../../scheduling/store.ts'

const database = useDatabase()

/** Far from the times of other tests, because gaps of the installation belong to all accounts. */
const hour = (n: number) => new Date(Date.UTC(2031, 0, 1, n))
const seconds = (n: number) => hour(n).getTime() / 1000

const insert = (account: string | null, from: number, to: number, location: string | null = null) =>
  database.db.pool.query(
    `INSERT INTO coverage_gaps (account_id, scope, location, from_at, to_at, reason) VALUES ($1, $2, $3, $4, $5, 'The server was not running.')`,
    [account, location === null ? 'installation' : 'location', location, hour(from), hour(to)],
  )

test('gaps of the installation and of the account are listed, newest first, those of others are not', async () => {
  const api = await givenApi(database.db)
  await insert(null, 1, 2)
  await insert(api.accountId, 3, 4, 'eu-west-1')
  await insert(await givenAccount(database.db), 3, 4, 'us-east-1')
  await insert(null, 20, 21)
  const answer = await api.call('GET', `/v1/coverage-gaps?from=${seconds(0)}&to=${seconds(10)}`)
  expect(answer.list).toMatchObject([
    { scope: 'location', location: 'eu-west-1', from: hour(3).toISOString(), to: hour(4).toISOString() },
    { scope: 'installation', location: null, reason: 'The server was not running.' },
  ])
  expect(answer.headers['content-range']).toBe('0-1/2')
})

test('a range upside down is refused naming the field', async () => {
  const api = await givenApi(database.db)
  const answer = await api.call('GET', `/v1/coverage-gaps?from=${seconds(2)}&to=${seconds(1)}`)
  expect(answer).toMatchObject({ status: 400, body: { validation: { keys: ['from'], source: 'query' } } })
})

test('a gap of a private location is its account’s alone and goes by its slug; one of a region is everybody’s', async () => {
  const [api, other] = [await givenApi(database.db), await givenApi(database.db)]
  const office = await givenPrivateLocation(database.db, api.accountId, 'office')
  const time = { from: hour(101).getTime(), to: hour(102).getTime(), reason: 'No agent served the location.' }
  await insertLocationGap(database.db.pool, { ...time, location: office })
  await insertLocationGap(database.db.pool, { ...time, location: 'eu-west-1' })
  const search = `from=${seconds(100)}&to=${seconds(110)}`
  const seen = async (own: typeof api) =>
    (await own.call('GET', `/v1/coverage-gaps?${search}`)).list.map(({ location }) => location)
  expect(await seen(api)).toEqual(['eu-west-1', 'office'])
  expect(await seen(other)).toEqual(['eu-west-1'])
})
