import { randomUUID } from 'node:crypto'
import type { LiveEvent, LocationId } from '@vedette/wire'
import { expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { givenPrivateLocation } from '../../test-support/private-locations.ts'
import { readLocationsById } from '../locations/store.ts'
import type { CommittedResult } from '../runs.ts'
import { liveHub } from './hub.ts'
import { publishCommitted } from './publish-committed.ts'

const database = useDatabase()

const committed = (accountId: string, location: LocationId): CommittedResult => ({
  resultId: randomUUID(),
  checkId: randomUUID(),
  accountId,
  location,
  dueAt: 0,
  source: 'SCHEDULER',
  resultType: 'FINAL',
  outcome: 'pass',
  degraded: false,
  responseMs: 1,
  cause: null,
  attempts: 0,
  status: {
    previousState: 'failing',
    state: 'passing',
    since: 0,
    cause: null,
    failingLocations: [location],
    lastPassAt: 1,
  },
  retry: undefined,
  notifications: 0,
})

test('open pages get a private location by its slug, of a region by its name', async () => {
  const accountId = await givenAccount(database.db)
  const office = await givenPrivateLocation(database.db, accountId, 'office')
  const hub = liveHub()
  const events: LiveEvent[] = []
  hub.subscribe(accountId, (event) => events.push(event))
  const results = [committed(accountId, office), committed(accountId, 'eu-west-1')]
  await publishCommitted(hub, results, (ids) => readLocationsById(database.db.pool, ids))
  expect(events).toMatchObject([
    { location: 'office', failingLocations: ['office'] },
    { location: 'eu-west-1', failingLocations: ['eu-west-1'] },
  ])
})
