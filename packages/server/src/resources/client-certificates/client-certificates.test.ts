import { createPrivateKey, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestAuthority } from '../../../../checks/test-support/certificates.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { purgeDeleted } from '../../operations/store.ts'

const database = useDatabase()
const authority = createTestAuthority()
const own = authority.leaf()
const changed: string[] = []
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db, { hooks: { certificatesChanged: (account) => void changed.push(account) } })
})
afterAll(async () => {
  authority.remove()
  await api.app.close()
})

const path = '/v1/client-certificates'
const create = (more: object = {}, by = api) =>
  by.call('POST', path, { body: { host: 'shop.example', cert: own.cert, key: own.key, ...more } })

/** The key as PKCS #8, encrypted with a passphrase. */
const encrypted = (key: string, passphrase: string) =>
  createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase }).toString()

/** A key of 512 bits and its certificate, made by OpenSSL. */
const weak = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBdzCCASGgAwIBAgIUKF+N5wyBKhF/Z9EfJGHM8+YuFXIwDQYJKoZIhvcNAQEL
BQAwDzENMAsGA1UEAwwEd2VhazAgFw0yNjExMjMwMzQyNDdaGA8yMTI2MTAzMDAz
NDI0N1owDzENMAsGA1UEAwwEd2VhazBcMA0GCSqGSIb3DQEBAQUAA0sAMEgCQQDg
mWJIxaCUhIPoDxArJhip+DIaFIdJr39Gx7KqoK+vIgkGcawwgd2mZHHLD1ZFx66s
c2dAQAMPjB6gqgg3nq2NAgMBAAGjUzBRMB0GA1UdDgQWBBS0hLXEd0jn6IFWmH9m
R/Ply32UkDAfBgNVHSMEGDAWgBS0hLXEd0jn6IFWmH9mR/Ply32UkDAPBgNVHRMB
Af8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA0EAMcuYoofvhuFilryt8/ZvoYuCG6jg
v38gw2WgHwbmUVCEM27+4ixp+xHXmB8gpXZ5JE1JQwpGc4g737y+ESnSAw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEA4JliSMWglISD6A8Q
KyYYqfgyGhSHSa9/RseyqqCvryIJBnGsMIHdpmRxyw9WRceurHNnQEADD4weoKoI
N56tjQIDAQABAkB0Nikqqkc6UY7G5fRhvyaH28pgwDp4H/xlLTL/IoGExclCHyNk
5D6gAz0zuxbjagAenHvG0xfLB7/p+DnyB09BAiEA+MVrGH3kX+RyafwPyKECAoNL
D4WtY9SBvswLZ71YQFUCIQDnICcSvRyQ+faFUUiU22hw5LXQwDaPXGHRxKTg3z8Q
WQIgauVh5I9MD8x5QYN3QM22sF+8ZDobzHbnHZZOHFCnWFUCIQDmZivtRy3Z7ARu
5BeZpJsZpzUD8wiwouQ0i3XdYU7piQIhAJZkhnJe4OnSC4cMZLEb4/tIa445kemU
GdtqgobR4ElS
-----END PRIVATE KEY-----
`,
}

/** Made by OpenSSL with five million rounds. */
const slowKey = `-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGcMFgGCSqGSIb3DQEFDTBLMCoGCSqGSIb3DQEFDDAdBAjEAXlFN4I6RQIDTEtA
MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBBHlHtAY3jI44P1H6SRp2WUBEBM
BDOLJynlzqt710nU3EuVUPgWYxBvZhRc1wLDkwi/kOyF9MSRyRhDjRytCsuMD5J/
AJUckx1hYMqIThvL/YKH
-----END ENCRYPTED PRIVATE KEY-----
`

describe('client certificates', () => {
  it('are created, listed newest first, read and deleted, and their keys are never returned', async () => {
    const made = await create({ host: '*.Shop.example.', ca: authority.ca })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        host: '*.shop.example',
        cert: own.cert,
        ca: authority.ca,
        created_at: expect.any(String),
        subject: 'CN=leaf.test',
        expiresAt: '2049-12-31T00:00:00.000Z',
      },
    ])
    const second = await create()
    expect(second.body['ca']).toBeNull()
    const list = await api.call('GET', path)
    expect(list.list.map(({ id }) => id)).toEqual([second.body['id'], made.body['id']])
    const one = `${path}/${String(made.body['id'])}`
    expect((await api.call('GET', one)).body).toEqual(made.body)
    expect(list.text + made.text).not.toContain('PRIVATE KEY')
    expect((await api.call('DELETE', one)).status).toBe(204)
    expect((await api.call('GET', one)).status).toBe(404)
    expect((await api.call('DELETE', one)).status).toBe(404)
    expect(changed).toEqual([api.accountId, api.accountId, api.accountId])
  })

  it('come back for a day after they were deleted, and then their keys are gone', async () => {
    const { body } = await create()
    const one = `${path}/${String(body['id'])}`
    await api.call('DELETE', one)
    expect(await api.call('POST', `${one}/restore`)).toMatchObject({ status: 200, body })
    expect((await api.call('POST', `${one}/restore`)).status).toBe(404)
    await api.call('DELETE', one)
    await purgeDeleted(database.db, new Date(Date.now() + 1000))
    expect((await api.call('POST', `${one}/restore`)).status).toBe(404)
  })

  it('belong to their account', async () => {
    const stranger = await givenApi(database.db)
    const { body } = await create()
    expect((await stranger.call('GET', path)).list).toEqual([])
    expect((await stranger.call('GET', `${path}/${String(body['id'])}`)).status).toBe(404)
    expect((await stranger.call('DELETE', `${path}/${String(body['id'])}`)).status).toBe(404)
    expect((await stranger.call('GET', `${path}/${randomUUID()}`)).status).toBe(404)
    await stranger.app.close()
  })

  it('have no key in clear in the database, nor in the audit log', async () => {
    await create({ key: encrypted(own.key, 'open sesame'), passphrase: 'open sesame' })
    const { rows } = await database.db.pool.query(
      `SELECT (SELECT json_agg(c)::text FROM client_certificates c) AS stored, (SELECT json_agg(a)::text FROM audit_log a) AS log`,
    )
    const dump = JSON.stringify(rows)
    expect(dump).not.toContain('PRIVATE KEY')
    expect(dump).not.toContain(own.key.split('\n')[1])
    expect(dump).not.toContain('open sesame')
  })

  it('are at most fifty, those that come back included', async () => {
    const crowded = await givenApi(database.db)
    const { body } = await create({}, crowded)
    await crowded.call('DELETE', `${path}/${String(body['id'])}`)
    await database.db.pool.query(
      `INSERT INTO client_certificates (id, account_id, host, cert, key, subject, expires_at, created_at)
       SELECT gen_random_uuid(), $1, 'shop.example', '', '', '', now(), now() FROM generate_series(1, 50)`,
      [crowded.accountId],
    )
    const full = 'There are 50 client certificates already; delete one that is not needed.'
    expect(await create({}, crowded)).toMatchObject({ status: 409, body: { message: full } })
    expect((await crowded.call('POST', `${path}/${String(body['id'])}/restore`)).status).toBe(409)
    await crowded.app.close()
  })
})

describe('a certificate is looked at before it is kept', () => {
  const refusal = async (more: object) => {
    const { status, body, text } = await create(more)
    expect(text).not.toContain('PRIVATE KEY---')
    return [status, (body['validation'] as { keys: string[] }).keys[0], body['message']]
  }

  it('must be one', async () => {
    const message = '"cert" must be a certificate in PEM form, got something else'
    expect(await refusal({ cert: 'hello' })).toEqual([400, 'cert', message])
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    expect(await refusal({ cert: broken })).toEqual([400, 'cert', message])
    expect(await refusal({ ca: 'hello' })).toEqual([400, 'ca', message.replace('cert', 'ca')])
    expect(await refusal({ cert: own.cert + own.key })).toEqual([
      400,
      'cert',
      '"cert" must hold certificates only, got PRIVATE KEY',
    ])
  })

  it('must still be valid', async () => {
    const { cert, key } = authority.leaf({ notAfter: '210304050600Z' })
    expect((await refusal({ cert, key }))[2]).toMatch(/^"cert" must be valid, got one that expired on Mar +4 .* 2021/)
  })

  it('must have its key', async () => {
    const { key } = authority.leaf()
    const message = '"key" must be the key of the certificate, got that of another one'
    expect(await refusal({ key })).toEqual([400, 'key', message])
    expect((await refusal({ key: 'hello' }))[2]).toBe('"key" must be a private key in PEM form, got something else')
    expect((await refusal({ key: own.key + key }))[2]).toBe('"key" must be one private key, got 2')
    expect((await refusal({ key: undefined }))[2]).toBe('"key" is required')
  })

  it('must be strong enough for TLS', async () => {
    const message = '"cert" must be usable for TLS, got one that is not: ee key too small'
    expect(await refusal(weak)).toEqual([400, 'cert', message])
  })

  it('must have a passphrase that opens an encrypted key', async () => {
    const key = encrypted(own.key, 'open sesame')
    const required = '"passphrase" is required, because the key is encrypted'
    expect(await refusal({ key })).toEqual([400, 'passphrase', required])
    expect((await refusal({ key, passphrase: 'wrong' }))[2]).toBe('"passphrase" must open the key, and does not')
    expect((await create({ key, passphrase: 'open sesame' })).status).toBe(201)
    expect((await create({ passphrase: 'of no use' })).status).toBe(201)
  })

  it('must have a key that can be opened in time', async () => {
    const message = '"key" must be encrypted with at most 2000000 rounds'
    expect(await refusal({ key: slowKey, passphrase: 'slow' })).toEqual([400, 'key', message])
    const disguised = slowKey.replace('-----\n', '-----\nX-Rounds: few\n\n')
    expect(await refusal({ key: disguised, passphrase: 'slow' })).toEqual([400, 'key', message])
  })

  it.each(['https://shop.example', 'shop.example:443', 'shop.example/path', 'a b', '.shop.example'])(
    'must be for a host, and %s is none',
    async (host) => {
      const message = `"host" must be the name of a host without scheme, port and path, got "${host}"`
      expect(await refusal({ host })).toEqual([400, 'host', message])
    },
  )

  it('takes the name of a host in any script', async () => {
    expect((await create({ host: '*.bücher.example' })).body['host']).toBe('*.xn--bcher-kva.example')
  })
})
