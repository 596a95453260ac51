import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@vedette/wire'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { anAlert } from '../../../../test-support/alerts.ts'
import type { ChannelMessage, SendContext } from '../channel-kind.ts'
import { emailChannel } from './index.ts'
import { readSmtpUrl } from './smtp-url.ts'

const servers: SMTPServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(resolve))))
})

async function openMailServer(options: SMTPServerOptions = {}) {
  const mails: { mail: Email; to: string[]; raw: string }[] = []
  const keep = async (raw: string, to: string[], taken: () => void) => {
    mails.push({ mail: await PostalMime.parse(raw), to, raw })
    taken()
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('utf8')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        void keep(raw, to, () => done(null, 'queued as 1'))
      })
    },
    ...options,
  })
  servers.push(server)
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port))
  })
  return { port, mails, url: `smtp://127.0.0.1:${port}/?from=alerts@example.org` }
}

const alert = anAlert({
  accountId: randomUUID(),
  checkId: randomUUID(),
  decidedAt: Date.UTC(2026, 10, 21, 12),
  checkName: 'Shop <b>front</b>\r\nBcc: evil@example.org',
})
const message: ChannelMessage = {
  notificationId: randomUUID(),
  attempt: 1,
  alert,
  location: { slug: 'eu-central-1', name: 'Frankfurt' },
  variables: {},
  baseUrl: 'https://vedette.example',
}
const send = (
  smtpUrl: string | undefined,
  more: { message?: Partial<ChannelMessage>; egress?: SendContext['egress'] } = {},
) =>
  emailChannel.deliver(
    { address: 'on-call@example.org' },
    { ...message, ...more.message },
    {
      egress: more.egress ?? { privateTargets: true, deniedTargets: [] },
      clock: systemClock,
      runtime: { now: Date.now, random: Math.random, uuid: randomUUID },
      settings: smtpUrl === undefined ? {} : { smtpUrl },
    },
  )

describe('an e-mail', () => {
  it('says in text and HTML what is wrong, where, since when, and leads to the result', async () => {
    const { url, mails } = await openMailServer()
    expect(await send(url)).toMatchObject({ accepted: true, status: 250, response: expect.stringContaining('queued') })
    const [{ mail, to }] = mails as [(typeof mails)[0]]
    expect(to).toEqual(['on-call@example.org'])
    expect(mail.from?.address).toBe('alerts@example.org')
    expect(mail.subject).toBe('[FAILING] Shop <b>front</b> Bcc: evil@example.org')
    expect(mail.bcc).toBeUndefined()
    const link = `https://vedette.example/checks/${alert.checkId}/results/${alert.resultId}`
    for (const part of [
      'What: Expected status 200, got 503',
      'Where: Frankfurt',
      'When: 2026-11-21 11:59:59 UTC',
      'Since: 2026-11-21 11:59:59 UTC',
      'Last good: 2026-11-21 11:59:00 UTC',
      link,
    ]) {
      expect(mail.text).toContain(part)
    }
    expect(mail.html).toContain('Shop &lt;b&gt;front&lt;/b&gt;')
    expect(mail.html).not.toContain('<b>front')
    expect(mail.html).toContain(`href="${link}"`)
    expect(mail.html).not.toMatch(/<img|<script|src=/i)
  })

  it('keeps its id over attempts, so that doubles are seen as such', async () => {
    const { url, mails } = await openMailServer()
    await send(url)
    await send(url, { message: { attempt: 2 } })
    expect(mails.map(({ mail }) => mail.messageId)).toEqual(Array(2).fill(`<${message.notificationId}@vedette>`))
  })

  it('says when all is well again, and who cared for it', async () => {
    const { url, mails } = await openMailServer()
    const acknowledgedBy = 'ann@example.org'
    const recovery = anAlert({ ...alert, alertType: 'ALERT_RECOVERY', cause: null, checkName: 'Shop', acknowledgedBy })
    await send(url, { message: { alert: recovery } })
    expect(mails[0]?.mail.subject).toBe('[RECOVERED] Shop')
    expect(mails[0]?.mail.text).toContain('Trouble since: ')
    expect(mails[0]?.mail.text).toContain('Acknowledged by: ann@example.org')
    expect(mails[0]?.mail.text).not.toContain('Last good')
  })

  it('says whose certificate expires and when, and once it has', async () => {
    const { url, mails } = await openMailServer()
    const certificate = { host: 'shop.example', notAfter: Date.UTC(2026, 10, 27), threshold: 30 }
    const cause = 'The certificate of shop.example expires in 5 days, on 2026-11-27 00:00:00 UTC.'
    const facts = { alertType: 'ALERT_SSL', checkName: 'Shop', cause, lastPassAt: null, stateSince: null } as const
    await send(url, { message: { alert: { ...alert, ...facts, certificate } } })
    const expired = { ...certificate, notAfter: alert.decidedAt - 1 }
    await send(url, { message: { alert: { ...alert, ...facts, certificate: expired } } })
    expect(mails.map(({ mail }) => mail.subject)).toEqual([
      '[CERTIFICATE] Certificate of shop.example expires in 5 days',
      '[CERTIFICATE] Certificate of shop.example has expired',
    ])
    expect(mails[0]?.mail.text).toContain(
      `What: ${cause}\nCheck: Shop\nLast seen: 2026-11-21 11:59:59 UTC, from Frankfurt`,
    )
    expect(mails[0]?.mail.text).not.toMatch(/Last good|Since|Response time/)
  })

  it('signs in with user and password of the URL', async () => {
    const seen: unknown[] = []
    const { port, mails } = await openMailServer({
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password])
        if (password === 'p@ss') done(null, { user: username })
        else done(new Error('no'))
      },
    })
    expect(await send(`smtp://bot%40example.org:p%40ss@127.0.0.1:${port}`)).toMatchObject({ accepted: true })
    expect(seen).toEqual([['bot@example.org', 'p@ss']])
    expect(mails[0]?.mail.from?.address).toBe('bot@example.org')
    const wrong = await send(`smtp://bot:wrong@127.0.0.1:${port}`)
    expect(wrong).toMatchObject({ accepted: false, retryable: false })
    expect(wrong.response).not.toContain('wrong')
  })

  it('is tried again after a refusal that may pass, and not after a final one', async () => {
    const answering = (responseCode: number) =>
      openMailServer({
        onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not now'), { responseCode })),
      })
    expect(await send((await answering(451)).url)).toMatchObject({ accepted: false, retryable: true, status: 451 })
    expect(await send((await answering(550)).url)).toMatchObject({ accepted: false, retryable: false, status: 550 })
  })

  it('is tried again when the mail server is away', async () => {
    const { url } = await openMailServer()
    await new Promise<void>((resolve) => servers.splice(0)[0]?.close(resolve))
    expect(await send(url)).toMatchObject({ accepted: false, retryable: true })
  })

  it('goes through the egress guard', async () => {
    const { url, port, mails } = await openMailServer()
    const egress = { privateTargets: true, deniedTargets: [{ address: '127.0.0.1', port }] }
    expect(await send(url, { egress })).toMatchObject({
      accepted: false,
      retryable: false,
      response: expect.stringContaining('it belongs to Vedette itself'),
    })
    expect(mails).toEqual([])
  })

  it('is given up, naming the setting, when no mail server is set', async () => {
    expect(await send(undefined)).toMatchObject({
      accepted: false,
      retryable: false,
      response: expect.stringContaining('VEDETTE_SMTP_URL'),
    })
  })
})

it.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, from: 'vedette@mail.example' }, { secure: false }],
  ['smtps://mail.example', { port: 465 }, { secure: true }],
  ['smtp://mail.example:25/?tls=required', { port: 25 }, { requireTLS: true, ignoreTLS: false }],
  ['smtp://mail.example/?tls=off', {}, { ignoreTLS: true }],
  ['smtp://u:p@mail.example/?from=x@y.example', { from: 'x@y.example' }, { auth: { user: 'u', pass: 'p' } }],
])('%s is read as mail server', (url, server, options) => {
  expect(readSmtpUrl(url)).toMatchObject({ ...server, options })
})
