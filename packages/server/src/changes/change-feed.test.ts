import { randomUUID } from 'node:crypto'
import { systemClock } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'
import { databaseUrlOf, givenAccount, useDatabase } from '../../test-support/database.ts'
import { givenCheck } from '../../test-support/checks.ts'
import { givenMember } from '../../test-support/people.ts'
import { openRelay, type Relay } from '../../test-support/relay.ts'
import { ChangeFeed } from './change-feed.ts'
import { deleteOldChanges, readChanges, readPosition, type Change } from './store.ts'

const database = useDatabase()
const silent = { error: () => undefined }

it('is idle on the embedded database, which has one server', async () => {
  const feed = new ChangeFeed({
    db: { ...database.db, peers: undefined },
    clock: systemClock,
    log: silent,
    apply: () => Promise.reject(new Error('There is nothing to apply.')),
  })
  await feed.start()
  await feed.stop()
})

// Only with PostgreSQL: the embedded database has one server.
if (process.env['TEST_DATABASE_URL']) {
  let mine: Database
  let other: Database
  let relay: Relay | undefined
  const feeds: ChangeFeed[] = []

  beforeEach(async () => {
    const url = databaseUrlOf(database.db)
    mine = await openExternal(url)
    other = await openExternal(url)
  })
  afterEach(async () => {
    await Promise.all(feeds.splice(0).map((feed) => feed.stop()))
    await mine.close()
    await other.close()
    await relay?.close()
    relay = undefined
  })

  /** A feed of `db`; `got` resolves with the first change that fits. */
  async function follow(db: Database, apply: (changes: readonly Change[]) => Promise<void> = async () => {}) {
    const seen: Change[] = []
    let waiting: (() => void)[] = []
    const feed = new ChangeFeed({
      db,
      clock: systemClock,
      log: silent,
      async apply(changes) {
        await apply(changes)
        seen.push(...changes)
        for (const look of waiting) look()
      },
    })
    feeds.push(feed)
    await feed.start()
    const got = async (kind: string, id: string) => {
      const find = () => seen.find((change) => change.kind === kind && change.ids.includes(id))
      while (find() === undefined) await new Promise<void>((resolve) => waiting.push(resolve))
      waiting = []
      return find()
    }
    return { seen, got }
  }

  const touch = (db: Database, id: string) =>
    db.pool.query('UPDATE checks SET version = version + 1 WHERE id = $1', [id])

  describe('what another server writes', () => {
    it('arrives at once, by its kind', async () => {
      const { got, seen } = await follow(mine)
      const from = performance.now()
      const check = await givenCheck({ db: other }, {})
      expect(await got('check.created', check.id)).toMatchObject({ accountId: check.accountId })
      await touch(other, check.id)
      await got('check.updated', check.id)
      await other.pool.query('UPDATE checks SET deleted_at = now() WHERE id = $1', [check.id])
      await got('check.deleted', check.id)
      const kinds = seen.filter(({ ids }) => ids.includes(check.id)).map(({ kind }) => kind)
      expect([...new Set(kinds)]).toEqual(['check.created', 'check.updated', 'check.deleted'])
      expect(performance.now() - from).toBeLessThan(2000)
    })

    it('tells of an acknowledgement, and not of episodes that begin and end with results', async () => {
      const { got, seen } = await follow(mine)
      const check = await givenCheck({ db: other }, {})
      const write = (text: string) => other.pool.query(text, [check.id])
      await write(
        `INSERT INTO check_episodes (id, account_id, check_id, state, began_at)
         SELECT gen_random_uuid(), account_id, id, 'failing', now() FROM checks WHERE id = $1`,
      )
      await write(`UPDATE check_episodes SET acknowledged_by = 'ann', acknowledged_at = now() WHERE check_id = $1`)
      expect(await got('check.acknowledged', check.id)).toMatchObject({ accountId: check.accountId })
      await write('UPDATE check_episodes SET ended_at = now() WHERE check_id = $1')
      await touch(other, check.id)
      await got('check.updated', check.id)
      expect(seen.filter(({ kind }) => kind === 'check.acknowledged')).toHaveLength(1)
    })

    it('tells of the role of a member, of who was taken out, and of a suspended account, which every server keeps', async () => {
      const { got, seen } = await follow(mine)
      const { accountId } = await givenCheck({ db: other }, {})
      const { userId } = await givenMember(other, accountId, 'ADMIN')
      expect(await got('credentials', userId)).toMatchObject({ accountId })
      await other.pool.query('DELETE FROM memberships WHERE user_id = $1', [userId])
      await other.pool.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [accountId])
      expect(await got('credentials', accountId)).toMatchObject({ accountId })
      expect(seen.filter(({ kind, ids }) => kind === 'credentials' && ids.includes(userId))).toHaveLength(2)
    })

    it('arrives within two seconds when it cannot be announced', async () => {
      const { got } = await follow({
        ...mine,
        peers: { self: mine.peers!.self, listen: () => ({ stop: async () => {} }) },
      })
      const check = await givenCheck({ db: other }, {})
      const from = performance.now()
      await got('check.created', check.id)
      expect(performance.now() - from).toBeLessThan(2000)
    })

    it('arrives also when the connection for announcements is silent, or is lost', async () => {
      relay = await openRelay(databaseUrlOf(database.db))
      const behind = await openExternal(relay.through(databaseUrlOf(database.db)))
      const listen = behind.peers!.listen.bind(behind.peers)
      const { got } = await follow({ ...mine, peers: { self: mine.peers!.self, listen } })
      const first = await givenCheck({ db: other }, {})
      await got('check.created', first.id)
      relay.muteOpen()
      await touch(other, first.id)
      await got('check.updated', first.id)
      await other.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vedette changes' AND datname = current_database()`,
      )
      const second = await givenCheck({ db: other }, {})
      await got('check.created', second.id)
      await behind.close()
    })

    it('is passed again when it could not be taken note of', async () => {
      let refusals = 2
      const { got } = await follow(mine, () =>
        refusals-- > 0 ? Promise.reject(new Error('not now')) : Promise.resolve(),
      )
      const check = await givenCheck({ db: other }, {})
      await got('check.created', check.id)
      expect(refusals).toBe(-1)
    })

    it('leaves out what this server has written, and what was rolled back', async () => {
      const since = { self: mine.peers!.self, since: await readPosition(mine.pool) }
      const check = await givenCheck({ db: mine }, {})
      await other
        .transaction(async (client) => {
          await client.query('UPDATE checks SET version = 9 WHERE id = $1', [check.id])
          throw new Error('no')
        })
        .catch(() => undefined)
      const { changes } = await readChanges(mine.pool, since)
      expect(changes.filter(({ ids }) => ids.includes(check.id))).toEqual([])
    })
  })

  it('reads a change once, however long its transaction took and whatever was committed before it', async () => {
    const [slow, quick] = [await givenCheck({ db: other }, {}), await givenCheck({ db: other }, {})]
    const self = mine.peers!.self
    let position = await readPosition(mine.pool)
    const read = async () => {
      const found = await readChanges(mine.pool, { self, since: position })
      position = found.position
      return found.changes.flatMap(({ ids }) => ids).filter((id) => id === slow.id || id === quick.id)
    }
    await other.transaction(async (client) => {
      await client.query('UPDATE checks SET version = version + 1 WHERE id = $1', [slow.id])
      await touch(other, quick.id)
      expect(await read()).toEqual([quick.id])
      expect(await read()).toEqual([])
    })
    expect(await read()).toEqual([slow.id])
    expect(await read()).toEqual([])
  })

  it('notes runs on request, variables, certificates, keys, sessions and notifications, and no retries', async () => {
    const { got, seen } = await follow(mine)
    const accountId = await givenAccount(database.db)
    const { id: checkId } = await givenCheck({ db: other }, { accountId })
    const run = (attempt: number) =>
      other.pool.query(
        `INSERT INTO pending_runs (attempt_id, account_id, check_id, revision, type, due_at, run_at, location, worker_class,
           attempt, sequence_id, source, created_at)
         VALUES ($1, $2, $3, 1, 'API', now(), now(), 'eu-west-1', 'network', $4, $1, 'SCHEDULER', now())`,
        [randomUUID(), accountId, checkId, attempt],
      )
    await run(1)
    await run(0)
    await got('run.requested', checkId)
    expect(seen.filter(({ kind, ids }) => kind === 'run.requested' && ids.includes(checkId))).toHaveLength(1)
    const key = `KEY_${randomUUID()}`
    await other.pool.query(
      `INSERT INTO variables (account_id, key, value, locked, secret, version, created_at) VALUES ($1, $2, '', false, false, 1, now())`,
      [accountId, key],
    )
    await got('variables', key)
    await other.pool.query('DELETE FROM variables WHERE key = $1', [key])
    const certificate = randomUUID()
    await other.pool.query(
      `INSERT INTO client_certificates (id, account_id, host, cert, key, subject, expires_at, created_at)
       VALUES ($1, $2, '*', '', '', '', now(), now())`,
      [certificate, accountId],
    )
    await got('client-certificates', certificate)
    const id = randomUUID()
    await other.pool.query(
      `INSERT INTO api_keys (id, account_id, name, role, hash, masked, created_at) VALUES ($1, $2, '', 'read', $3, '', now())`,
      [id, accountId, Buffer.from(id)],
    )
    await other.pool.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id])
    await got('credentials', id)
  })

  it('old changes are deleted', async () => {
    const check = await givenCheck({ db: other }, {})
    await mine.pool.query(`UPDATE changes SET at = now() - interval '1 hour' WHERE ids ? $1`, [check.id])
    await deleteOldChanges(mine.pool, 30)
    expect((await mine.pool.query('SELECT 1 FROM changes WHERE ids ? $1', [check.id])).rows).toEqual([])
  })
}
