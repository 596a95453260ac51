import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { systemClock, type JobClientCertificate } from '@vedette/wire'
import { run } from '../../api/run.ts'
import { completeApiRequest, type ApiRequest } from '../../api/request-shape.ts'
import { createTestAuthority } from '../../../test-support/certificates.ts'
import { startTestServers, trusted } from '../../../test-support/servers.ts'

const authority = createTestAuthority()
const strangers = createTestAuthority()
afterAll(() => {
  authority.remove()
  strangers.remove()
})
const servers = startTestServers()
afterEach(() => servers.closeAll())

const own = authority.leaf()
const certificateOf = (host: string, more: Partial<JobClientCertificate> = {}): JobClientCertificate => ({
  host,
  ...own,
  ca: authority.ca,
  ...more,
})

/** Answers with the subject of the certificate it was shown, or `none`; or redirects. */
const serve = (isRequired: boolean, redirectTo?: string) =>
  servers.adopt(
    createServer(
      { ...authority.leaf(), ca: [authority.ca], requestCert: true, rejectUnauthorized: isRequired },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        if (redirectTo === undefined) response.end(subject?.CN ?? 'none')
        else response.writeHead(302, { location: redirectTo }).end()
      },
    ),
  )

async function seen(url: string, clientCertificates: JobClientCertificate[], more: Partial<ApiRequest> = {}) {
  const { evidence, error } = await run(
    { request: { ...completeApiRequest({ url }), ...more } },
    {
      signal: new AbortController().signal,
      deadline: performance.now() + 5000,
      egress: trusted,
      variables: [],
      clientCertificates,
      clock: systemClock,
      random: () => 0.5,
    },
  )
  return error === undefined ? evidence?.response?.body : error.code
}

describe('a server that requires a client certificate', () => {
  it('gets the one for its host', async () => {
    const port = await serve(true)
    expect(await seen(`https://localhost:${port}/`, [certificateOf('localhost')])).toBe('leaf.test')
    expect(await seen(`https://127.0.0.1:${port}/`, [certificateOf('127.*')])).toBe('leaf.test')
  })

  it('refuses a run that has none for its host, and one whose issuer it does not know', async () => {
    const port = await serve(true)
    const refused = expect.stringMatching(/CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE|ECONNRESET/) as string
    expect(await seen(`https://localhost:${port}/`, [certificateOf('127.0.0.1')], { skipSSL: true })).toEqual(refused)
    const strange = certificateOf('localhost', strangers.leaf())
    expect(await seen(`https://localhost:${port}/`, [strange])).toEqual(refused)
  })

  it('is trusted by the authority of the certificate, and other hosts are not', async () => {
    const port = await serve(false)
    const untrusted = expect.stringMatching(/^(UNABLE_TO|SELF_SIGNED)/) as string
    expect(await seen(`https://localhost:${port}/`, [certificateOf('localhost', { ca: null })])).toEqual(untrusted)
    expect(await seen(`https://localhost:${port}/`, [certificateOf('127.0.0.1')])).toEqual(untrusted)
    expect(await seen(`https://localhost:${port}/`, [certificateOf('localhost')])).toBe('leaf.test')
  })
})

describe('a redirect to another host', () => {
  it('does not show that host the certificate of the first', async () => {
    const target = await serve(false)
    const port = await serve(true, `https://127.0.0.1:${target}/`)
    const url = `https://localhost:${port}/`
    expect(await seen(url, [certificateOf('localhost')], { skipSSL: true })).toBe('none')
    expect(await seen(url, [certificateOf('localhost'), certificateOf('127.0.0.1')])).toBe('leaf.test')
  })
})
