import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { givenAccount, useEmptiedDatabase } from '../../test-support/database.ts'
import { verifyMasterKey } from './check-master-key.ts'
import { resealAll } from './reseal.ts'
import { sealedTables } from './sealed-rows-store.ts'
import { openVault, sealedBy, type KeyedVault } from './vault.ts'

const keys = { old: randomBytes(32), next: randomBytes(32) }
const oldVault = openVault({ current: keys.old })
const nextVault = openVault({ current: keys.next })
const both = openVault({ current: keys.next, old: [keys.old] })
const change = { oldKeyId: oldVault.keyId }

const locationId = randomUUID()

const database = useEmptiedDatabase()
let db: Database
let account: string
let checkId: string
let channelId: number

// A separate database, because the master key belongs to the whole installation.
beforeAll(() => {
  db = database.db
})

beforeEach(async () => {
  await verifyMasterKey(db, oldVault)
  account = await givenAccount(db)
  checkId = await insertCheck({ password: 'of the check' })
  channelId = await insertChannel('of the channel')
  await db.pool.query(
    'INSERT INTO variables (account_id, key, value, locked, secret, version, created_at) VALUES ($1, $2, $3, true, true, 1, now())',
    [account, 'TOKEN', oldVault.seal('of the variable', places.variable())],
  )
  await db.pool.query(
    `INSERT INTO private_locations (id, account_id, slug, name, secrets, created_at) VALUES ($1, $2, 'a', 'A', $3, now())`,
    [locationId, account, JSON.stringify({ proxyUrl: oldVault.seal('of the proxy', places.proxy()) })],
  )
  await db.pool.query(
    'INSERT INTO check_triggers (account_id, check_id, secrets, created_at) VALUES ($1, $2, $3, now())',
    [account, checkId, JSON.stringify({ token: oldVault.seal('of the trigger', places.trigger()) })],
  )
  await db.pool.query(
    `INSERT INTO users (id, email, name, created_at, totp_secret) VALUES ($1, $2, 'Ann', now(), $3)`,
    [account, `${account}@example.test`, oldVault.seal('of the person', places.person())],
  )
})

afterEach(async () => {
  await db.pool.query('TRUNCATE installation, leadership, accounts, users CASCADE')
})

const places = {
  // A person of the same id as the account will do.
  person: () => ({ account, table: 'users', row: account, field: 'totp_secret' }),
  variable: () => ({ account, table: 'variables', row: 'TOKEN', field: 'value' }),
  check: (id = checkId) => ({ account, table: 'checks', row: id, field: 'basicAuth.password' }),
  proxy: () => ({ account, table: 'private_locations', row: locationId, field: 'proxyUrl' }),
  trigger: () => ({ account, table: 'check_triggers', row: checkId, field: 'token' }),
  channel: () => ({ account, table: 'alert_channels', row: String(channelId), field: 'config.secret' }),
}

async function insertCheck({ password }: { password: string }): Promise<string> {
  const id = randomUUID()
  const secrets = JSON.stringify({ 'basicAuth.password': oldVault.seal(password, places.check(id)) })
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent, revision, version, created_at)
     VALUES ($1, $2, 'API', 'c', true, '{}', '{}', '{}', $3, false, 1, 1, now())`,
    [id, account, secrets],
  )
  await db.pool.query(
    `INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
     VALUES ($1, 1, $2, 'API', 'c', '{}', $3, now())`,
    [id, account, secrets],
  )
  return id
}

async function insertChannel(secret: string): Promise<number> {
  const { rows } = await db.pool.query<{ id: number }>(
    `INSERT INTO alert_channels (account_id, type, config, secrets, send_recovery, send_failure, send_degraded, ssl_expiry,
       ssl_expiry_threshold, auto_subscribe, version, created_at)
     VALUES ($1, 'WEBHOOK', '{}', '{}', true, true, false, false, 30, false, 1, now()) RETURNING id`,
    [account],
  )
  channelId = rows[0]?.id ?? 0
  const secrets = JSON.stringify({ 'config.secret': oldVault.seal(secret, places.channel()) })
  await db.pool.query('UPDATE alert_channels SET secrets = $1 WHERE id = $2', [secrets, channelId])
  return channelId
}

async function readSecret(table: string, field: string): Promise<string> {
  const { rows } = await db.pool.query<{ secrets: Record<string, string> }>(`SELECT secrets FROM ${table}`)
  return rows[0]?.secrets[field] ?? ''
}

async function everySecret(vault: KeyedVault): Promise<string[]> {
  const variable = await db.pool.query<{ value: string }>('SELECT value FROM variables')
  const person = await db.pool.query<{ secret: string }>('SELECT totp_secret AS secret FROM users')
  return [
    vault.open(await readSecret('checks', 'basicAuth.password'), places.check()),
    vault.open(await readSecret('check_revisions', 'basicAuth.password'), places.check()),
    vault.open(await readSecret('alert_channels', 'config.secret'), places.channel()),
    vault.open(await readSecret('private_locations', 'proxyUrl'), places.proxy()),
    vault.open(await readSecret('check_triggers', 'token'), places.trigger()),
    vault.open(variable.rows[0]?.value ?? '', places.variable()),
    vault.open(person.rows[0]?.secret ?? '', places.person()),
  ]
}

const everyPlaintext = [
  'of the check',
  'of the check',
  'of the channel',
  'of the proxy',
  'of the trigger',
  'of the variable',
  'of the person',
]

test('after a change of the key every secret opens with the new key alone, and only it starts the server', async () => {
  expect(await resealAll(db, both, change)).toEqual({
    checks: 1,
    check_revisions: 1,
    alert_channels: 1,
    private_locations: 1,
    check_groups: 0,
    check_triggers: 1,
    check_group_triggers: 0,
    variables: 1,
    client_certificates: 0,
    users: 1,
  })
  expect(await everySecret(nextVault)).toEqual(everyPlaintext)
  await verifyMasterKey(db, nextVault)
  await expect(verifyMasterKey(db, oldVault)).rejects.toThrow('The master key is not the one of this database')
})

test('running it again changes nothing', async () => {
  await resealAll(db, both, change)
  const before = await readSecret('checks', 'basicAuth.password')
  expect(Object.values(await resealAll(db, both, change))).toEqual(Array.from({ length: 10 }, () => 0))
  expect(await readSecret('checks', 'basicAuth.password')).toBe(before)
})

test('a change that stopped half-way keeps servers from starting and goes on when run again', async () => {
  const stop = () => Promise.reject(new Error('killed'))
  await expect(resealAll(db, both, { ...change, adopt: stop })).rejects.toThrow('killed')
  await insertCheck({ password: 'left with the old key' })
  for (const vault of [oldVault, nextVault]) {
    await expect(verifyMasterKey(db, vault)).rejects.toThrow('begun and not finished')
  }
  expect(await resealAll(db, both, change)).toMatchObject({ checks: 1, check_revisions: 1, variables: 0 })
  await verifyMasterKey(db, nextVault)
})

test('an unfinished change cannot be overtaken by one to a third key', async () => {
  await expect(resealAll(db, both, { ...change, adopt: () => Promise.reject(new Error('killed')) })).rejects.toThrow()
  const third = openVault({ current: randomBytes(32), old: [keys.old] })
  await expect(resealAll(db, third, change)).rejects.toThrow('Finish it with that key first')
})

test('an old key that is not that of the database is refused before anything is touched', async () => {
  const wrong = openVault({ current: randomBytes(32) })
  await expect(resealAll(db, both, { oldKeyId: wrong.keyId })).rejects.toThrow('VEDETTE_OLD_MASTER_KEY')
  await verifyMasterKey(db, oldVault)
  expect(await everySecret(oldVault)).toEqual(everyPlaintext)
})

test('a secret that does not open stops the change of its whole table', async () => {
  await db.pool.query('UPDATE variables SET value = $1', [oldVault.seal('moved', places.check())])
  await insertCheck({ password: 'another' })
  await expect(resealAll(db, both, change)).rejects.toThrow('variables.value does not open')
  const { rows } = await db.pool.query<{ value: string }>('SELECT value FROM variables')
  expect(sealedBy(rows[0]?.value ?? '')).toBe(oldVault.keyId)
})

test('it is refused while a server is using the database', async () => {
  await db.pool.query(
    "INSERT INTO leadership (role, holder, epoch, expires_at) VALUES ('scheduler', 'server-1', 1, now() + interval '1 minute')",
  )
  await expect(resealAll(db, both, change)).rejects.toThrow('A Vedette server (server-1) is using this database')
})

test('every column of secrets in the schema takes part', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'secrets'`,
  )
  const withSecrets = rows.map(({ name }) => name)
  const resealed = sealedTables.filter(({ column }) => column === 'secrets').map(({ table }) => table)
  expect(withSecrets).not.toEqual([])
  expect(resealed.toSorted()).toEqual(withSecrets.toSorted())
})
