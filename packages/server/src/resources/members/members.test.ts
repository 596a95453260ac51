import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { AccountInvite, AccountMember, AccountMembersList, MemberRole } from '@vedette/wire'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenMember, type Person } from '../../../test-support/people.ts'

const database = useDatabase()
const me = '/v1/accounts/me/members'

async function setUp(roles: readonly MemberRole[] = ['OWNER']) {
  const api = await givenApi(database.db)
  const people: Person[] = []
  for (const [n, role] of roles.entries())
    people.push(await givenMember(database.db, api.accountId, role, { at: new Date(Date.UTC(2026, 0, 1 + n)) }))
  const list = async (query = '') => (await api.call('GET', `${me}${query}`)).body as unknown as AccountMembersList
  const as = async (person: Person | undefined, method: 'PATCH' | 'DELETE', of: Person | undefined, body?: object) =>
    api.app.inject({
      method,
      url: `${me}/${of?.userId}`,
      headers: person?.headers ?? {},
      ...(body && { payload: body }),
    })
  return { api, people, list, as }
}

const invite = (api: TestApi, email: string, role = 'READ_RUN') =>
  api.call('POST', me, { body: { email, role } }) as Promise<{ status: number; body: Record<string, unknown> }>

describe('the list of members', () => {
  test('has members and invitations, the longest known first, in parts', async () => {
    const { api, people, list } = await setUp(['OWNER', 'ADMIN', 'READ_ONLY'])
    const sent = await invite(api, 'new@example.test')
    const seen: unknown[] = []
    let nextId: string | null = null
    do {
      const part: AccountMembersList = await list(`?limit=2${nextId === null ? '' : `&nextId=${nextId}`}`)
      expect(part.length).toBe(part.members.length)
      seen.push(...part.members.map((one) => ('userId' in one ? one.userId : one.id)))
      nextId = part.nextId
    } while (nextId !== null)
    expect(seen).toEqual([...people.map(({ userId }) => userId), sent.body['id']])
  })

  test('says everything of a member and of an invitation, and nothing of its link', async () => {
    const { api, people, list } = await setUp()
    await invite(api, 'new@example.test', 'ADMIN')
    const [member, invited] = (await list()).members as [AccountMember, AccountInvite]
    expect(member).toMatchObject({
      type: 'member',
      accountId: api.accountId,
      userId: people[0]?.userId,
      email: people[0]?.email,
      role: 'OWNER',
      status: 'ACTIVE',
      createdAt: '2026-01-01T00:00:00.000Z',
      isSupportMembership: false,
      ssoEnabled: false,
      mfaEnabled: false,
    })
    expect(invited).toMatchObject({
      type: 'invite',
      email: 'new@example.test',
      role: 'ADMIN',
      status: 'PENDING',
      inviterEmail: 'admin key',
    })
    expect(JSON.stringify(invited)).not.toContain('vdi_')
  })

  test('is filtered by text, type, role and status', async () => {
    const { api, people, list } = await setUp(['OWNER', 'ADMIN', 'READ_ONLY'])
    await invite(api, 'Ann.Smith@example.test', 'ADMIN')
    await invite(api, 'old@example.test', 'READ_ONLY')
    await database.db.pool.query(
      `UPDATE invites SET expires_at = now() - interval '1 s' WHERE account_id = $1 AND email = $2`,
      [api.accountId, 'old@example.test'],
    )
    const emails = async (query: string) => (await list(query)).members.map(({ email }) => email)
    const [owner, admin, reader] = people.map(({ email }) => email)
    expect(await emails('?type=member')).toEqual([owner, admin, reader])
    expect(await emails('?type=invite')).toEqual(['Ann.Smith@example.test', 'old@example.test'])
    expect(await emails('?search=ann.s')).toEqual(['Ann.Smith@example.test'])
    expect(await emails('?search=%25')).toEqual([])
    expect(await emails('?role=ADMIN')).toEqual([admin, 'Ann.Smith@example.test'])
    expect(await emails('?role=OWNER')).toEqual([owner])
    expect(await emails('?role=READ_ONLY')).toEqual([reader, 'old@example.test'])
    expect(await emails('?status=ACTIVE')).toEqual([owner, admin, reader])
    expect(await emails('?status=EXPIRED')).toEqual(['old@example.test'])
    expect(await emails('?status=PENDING')).toEqual(['Ann.Smith@example.test'])
  })

  test.each([
    ['?limit=101', 'limit'],
    ['?nextId=nonsense', 'nextId'],
    ['?role=BOSS', 'role'],
    ['?status=GONE', 'status'],
    ['?who=me', 'who'],
  ])('refuses %s', async (query, key) => {
    const { api } = await setUp([])
    const answer = await api.call('GET', `${me}${query}`)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(key)
  })

  test('is also under the id of the account, and not under that of another', async () => {
    const { api, list } = await setUp(['OWNER', 'READ_RUN'])
    expect((await api.call('GET', `/v1/accounts/${api.accountId}/members`)).body).toEqual(await list())
    const other = await givenApi(database.db)
    expect((await api.call('GET', `/v1/accounts/${other.accountId}/members`)).status).toBe(404)
  })
})

describe('the role of a member', () => {
  test('is changed by an admin, acts at once, and is written down', async () => {
    const { api, people, as } = await setUp(['OWNER', 'ADMIN', 'READ_ONLY'])
    const [, admin, reader] = people
    const read = () => api.app.inject({ url: '/v1/api-keys', headers: reader?.headers ?? {} })
    expect((await read()).statusCode).toBe(403)
    const changed = await as(admin, 'PATCH', reader, { role: 'ADMIN' })
    expect(changed.json()).toMatchObject({ userId: reader?.userId, role: 'ADMIN' })
    expect((await read()).statusCode).toBe(200)
    const { rows } = await database.db.pool.query(
      `SELECT actor, action, before->>'role' AS before, after->>'role' AS after FROM audit_log WHERE resource_id = $1`,
      [reader?.userId],
    )
    expect(rows).toEqual([{ actor: `user:${admin?.userId}`, action: 'update', before: 'READ_ONLY', after: 'ADMIN' }])
  })

  test('of an owner is changed by owners alone, who hand the account over', async () => {
    const { people, as, api } = await setUp(['OWNER', 'ADMIN', 'READ_ONLY'])
    const [owner, admin] = people
    expect((await as(admin, 'PATCH', owner, { role: 'READ_ONLY' })).statusCode).toBe(403)
    expect((await as(admin, 'DELETE', owner)).statusCode).toBe(403)
    expect((await as(admin, 'PATCH', admin, { role: 'OWNER' })).statusCode).toBe(403)
    expect((await api.call('PATCH', `${me}/${admin?.userId}`, { body: { role: 'OWNER' } })).status).toBe(403)
    expect((await as(owner, 'PATCH', admin, { role: 'OWNER' })).statusCode).toBe(200)
    expect((await as(owner, 'PATCH', owner, { role: 'READ_WRITE' })).statusCode).toBe(200)
  })

  test('of the last owner and of the last admin stays', async () => {
    const { people, as } = await setUp(['OWNER', 'READ_ONLY'])
    const [owner] = people
    const kept = await as(owner, 'PATCH', owner, { role: 'ADMIN' })
    expect(kept.statusCode).toBe(409)
    expect(kept.json<{ message: string }>().message).toContain('the last owner')
    expect((await as(owner, 'DELETE', owner)).statusCode).toBe(409)
    const without = await setUp(['ADMIN'])
    const [admin] = without.people
    expect((await without.as(admin, 'PATCH', admin, { role: 'READ_ONLY' })).statusCode).toBe(409)
    expect((await without.as(admin, 'DELETE', admin)).statusCode).toBe(409)
  })

  test('is not lost by two admins who demote each other at once', async () => {
    const { people, as, list } = await setUp(['ADMIN', 'ADMIN'])
    const [one, other] = people
    const answers = await Promise.all([
      as(one, 'PATCH', other, { role: 'READ_ONLY' }),
      as(other, 'PATCH', one, { role: 'READ_ONLY' }),
    ])
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await list('?role=ADMIN')).length).toBe(1)
  })

  test.each([{ role: 'BOSS' }, {}, { role: 'ADMIN', owner: true }])('%j is refused', async (body) => {
    const { api, people } = await setUp()
    expect((await api.call('PATCH', `${me}/${people[0]?.userId}`, { body })).status).toBe(400)
  })
})

test('a member who is taken out is out at once, with the keys made for them', async () => {
  const { api, people, as } = await setUp(['OWNER', 'READ_WRITE'])
  const [owner, writer] = people
  expect((await api.app.inject({ url: '/v1/checks', headers: writer?.headers ?? {} })).statusCode).toBe(200)
  expect((await as(owner, 'DELETE', writer)).statusCode).toBe(204)
  expect((await api.app.inject({ url: '/v1/checks', headers: writer?.headers ?? {} })).statusCode).toBe(401)
  expect((await as(owner, 'DELETE', writer)).statusCode).toBe(404)
})

test('members of another account are not there', async () => {
  const { people } = await setUp()
  const other = await setUp()
  const path = `${me}/${people[0]?.userId}`
  expect((await other.api.call('PATCH', path, { body: { role: 'ADMIN' } })).status).toBe(404)
  expect((await other.api.call('DELETE', path)).status).toBe(404)
})

describe('an invitation', () => {
  test('has a link that is shown once and stored as a hash, and can be taken back', async () => {
    const { api, list } = await setUp()
    const made = await invite(api, 'new@example.test')
    expect(made).toMatchObject({ status: 201, body: { status: 'PENDING', role: 'READ_RUN', mail: 'not set up' } })
    const token = new URL(String(made.body['link'])).searchParams.get('token') ?? ''
    expect(token).toMatch(/^vdi_/)
    const { rows } = await database.db.pool.query<{ all: string }>(
      `SELECT v::text || coalesce((SELECT string_agg(l::text, '') FROM audit_log l WHERE l.account_id = v.account_id), '') AS all
       FROM invites v WHERE id = $1`,
      [made.body['id']],
    )
    expect(rows[0]?.all).toContain('new@example.test')
    expect(rows[0]?.all).not.toContain(token)
    expect((await api.call('DELETE', `${me}/${String(made.body['id'])}`)).status).toBe(204)
    expect((await list('?type=invite')).members).toEqual([])
  })

  test('is made once for an address, and not for a member', async () => {
    const { api, people } = await setUp()
    await invite(api, 'new@example.test')
    expect((await invite(api, 'NEW@example.test')).status).toBe(409)
    expect((await invite(api, String(people[0]?.email).toUpperCase())).status).toBe(409)
    await database.db.pool.query(`UPDATE invites SET expires_at = now() - interval '1 s' WHERE account_id = $1`, [
      api.accountId,
    ])
    expect((await invite(api, 'new@example.test')).status).toBe(201)
  })

  test.each([
    [{ email: 'nobody', role: 'ADMIN' }, 'email'],
    [{ email: 'a@example.test', role: 'OWNER' }, 'role'],
    [{ email: 'a@example.test' }, 'role'],
  ])('%j is refused', async (body, key) => {
    const { api } = await setUp([])
    const answer = await api.call('POST', me, { body })
    expect([answer.status, answer.body['validation']]).toEqual([400, { source: 'payload', keys: [key] }])
  })

  test('is mailed to whom it is for when a mail server is set', async () => {
    const mails: string[] = []
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, session, done) {
        const parts: Buffer[] = [Buffer.from(session.envelope.rcptTo.map(({ address }) => address).join())]
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          mails.push(Buffer.concat(parts).toString('utf8'))
          done(null)
        })
      },
    })
    const port = await new Promise<number>((resolve) => {
      const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port))
    })
    const outgoing = {
      egress: () => ({ privateTargets: true, deniedTargets: [] }),
      settings: { smtpUrl: `smtp://127.0.0.1:${port}/?from=vedette@example.test` },
    }
    const api = await givenApi(database.db, { deps: { outgoing } })
    const sent = await invite(api, `${randomUUID()}@example.test`)
    const away = await new Promise<void>((resolve) => server.close(resolve)).then(() => invite(api, 'b@example.test'))
    expect([sent.body['mail'], away.body['mail'], away.status]).toEqual(['sent', 'failed', 201])
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain(`${String(sent.body['email'])}`)
    expect(mails[0]?.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')).toContain(String(sent.body['link']))
  })
})
