import { beforeAll, describe, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { deletePrivateLocation, givenPrivateLocation } from '../../../test-support/private-locations.ts'

const database = useDatabase()
const shop = { name: 'Shop', request: { method: 'GET', url: 'https://shop.example' } }
const unknown = (slug: string) => `"privateLocations.0" names no private location of this account, got "${slug}"`
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const create = (privateLocations: string[], more: Record<string, unknown> = {}) =>
  api.call('POST', '/v1/checks/api', { body: { ...shop, privateLocations, ...more } })

const storedLocations = async (id: unknown) => {
  const { rows } = await database.db.pool.query<{ own: unknown; effective: unknown }>(
    `SELECT definition->'privateLocations' AS own, effective->'locations' AS effective FROM checks WHERE id = $1`,
    [id],
  )
  return rows[0]
}

describe('private locations of a check', () => {
  test('are sent and answered as slugs, and stored by their ids after the regions', async () => {
    const office = await givenPrivateLocation(database.db, api.accountId, 'office')
    await givenPrivateLocation(database.db, await givenAccount(database.db), 'office')
    const made = await create(['office'], { locations: ['eu-west-1'] })
    expect(made).toMatchObject({ status: 201, body: { privateLocations: ['office'], locations: ['eu-west-1'] } })
    const id = String(made.body['id'])
    expect(await storedLocations(id)).toEqual({ own: [office], effective: ['eu-west-1', office] })
    expect((await api.call('GET', `/v1/checks/${id}`)).body).toEqual(made.body)
    expect((await api.call('GET', '/v1/checks')).list).toEqual([made.body])
  })

  test('that the account does not have are refused, an id in place of a slug too', async () => {
    const other = await givenAccount(database.db)
    const theirs = await givenPrivateLocation(database.db, other, 'vault')
    const gone = await givenPrivateLocation(database.db, api.accountId, 'gone')
    await deletePrivateLocation(database.db, gone)
    for (const slug of ['vault', theirs, 'gone', 'eu-west-1'])
      expect(await create([slug])).toMatchObject({ status: 400, body: { message: unknown(slug) } })
  })

  test('can be changed, and sent back whole without a new revision', async () => {
    await givenPrivateLocation(database.db, api.accountId, 'attic')
    const shed = await givenPrivateLocation(database.db, api.accountId, 'shed')
    const made = await create(['attic'])
    const url = `/v1/checks/api/${String(made.body['id'])}`
    expect((await api.call('PUT', url, { body: made.body })).status).toBe(200)
    expect((await api.call('PUT', url, { body: { privateLocations: ['shed'] } })).body['privateLocations']).toEqual([
      'shed',
    ])
    expect(await storedLocations(made.body['id'])).toEqual({ own: [shed], effective: [shed] })
    const { rows } = await database.db.pool.query('SELECT revision FROM checks WHERE id = $1', [made.body['id']])
    expect(rows).toEqual([{ revision: 2 }])
  })

  test('keep their slug after they are deleted, for the checks that have them', async () => {
    const barn = await givenPrivateLocation(database.db, api.accountId, 'barn')
    const made = await create(['barn'])
    await deletePrivateLocation(database.db, barn)
    const url = `/v1/checks/api/${String(made.body['id'])}`
    expect((await api.call('PUT', url, { body: { ...made.body, name: 'Barn' } })).body).toMatchObject({
      name: 'Barn',
      privateLocations: ['barn'],
    })
    expect(await storedLocations(made.body['id'])).toEqual({ own: [barn], effective: [barn] })
    const again = await givenPrivateLocation(database.db, api.accountId, 'barn')
    await api.call('PUT', url, { body: { privateLocations: ['barn'] } })
    expect(await storedLocations(made.body['id'])).toEqual({ own: [again], effective: [again] })
  })

  test('may be asked for in a dry run, by slug', async () => {
    const asked: unknown[] = []
    const own = await givenApi(database.db, {
      hooks: { dryRun: ({ location }) => Promise.resolve(void asked.push(location)) },
    })
    const office = await givenPrivateLocation(database.db, own.accountId, 'office')
    await own.call('POST', '/v1/checks/api/dry-run?location=office', { body: shop })
    await own.call('POST', '/v1/checks/api/dry-run', { body: { ...shop, privateLocations: ['office'] } })
    await own.call('POST', '/v1/checks/api/dry-run', { body: shop })
    expect(asked).toEqual([office, office, 'eu-central-1'])
    const refused = await own.call('POST', '/v1/checks/api/dry-run?location=attic', { body: shop })
    expect(refused).toMatchObject({ status: 400, body: { validation: { keys: ['location'] } } })
  })
})

test('where a check ran and fails is answered by slug', async () => {
  const own = await givenApi(database.db)
  const office = await givenPrivateLocation(database.db, own.accountId, 'office')
  const made = await own.call('POST', '/v1/checks/api', { body: { ...shop, privateLocations: ['office'] } })
  const id = String(made.body['id'])
  await database.db.pool.query(
    'UPDATE check_status SET last_run_location = $2, failing_locations = $3 WHERE check_id = $1',
    [id, office, ['us-east-1', office]],
  )
  const shown = { lastRunLocation: 'office', failingLocations: ['us-east-1', 'office'] }
  expect((await own.call('GET', '/v1/check-statuses')).list).toMatchObject([shown])
  expect((await own.call('GET', `/v1/check-statuses/${id}`)).body).toMatchObject(shown)
})
