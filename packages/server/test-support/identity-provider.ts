import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'

export interface IdentityProvider {
  issuer: string
  /** What the next ID token says besides what it must. A claim that is undefined is left out. */
  claims: Record<string, unknown>
  /** Signs with a key that the provider does not publish. */
  signsWrongly: boolean
  /** Tries to use a code with the wrong verifier, or none at all. */
  refusals: string[]
  close(): Promise<void>
}

interface Granted {
  challenge: string
  nonce: string
  redirectUri: string
}

export const testClient = { clientId: 'vedette', clientSecret: 'secret-of-the-client' }

/** An OpenID Connect provider at a real port that lets everybody in at once. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const [published, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk: JWK = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const granted = new Map<string, Granted>()
  const provider: IdentityProvider = {
    issuer: '',
    claims: {},
    signsWrongly: false,
    refusals: [],
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }

  const sign = ({ nonce }: Granted) =>
    new SignJWT({ nonce, ...provider.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(provider.issuer)
      .setAudience(testClient.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(provider.signsWrongly ? other.privateKey : published.privateKey)

  const routes: Record<string, (url: URL, body: URLSearchParams, response: ServerResponse) => Promise<void> | void> = {
    '/.well-known/openid-configuration': (_url, _body, response) =>
      json(response, 200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        // Providers of large organisations publish documents of many kilobytes.
        x_filling: 'x'.repeat(40_000),
      }),
    '/jwks': (_url, _body, response) => json(response, 200, { keys: [jwk] }),
    '/authorize': ({ searchParams: asked }, _body, response) => {
      const code = randomBytes(16).toString('hex')
      const redirectUri = asked.get('redirect_uri') ?? ''
      granted.set(code, { challenge: asked.get('code_challenge') ?? '', nonce: asked.get('nonce') ?? '', redirectUri })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      back.searchParams.set('session_state', 'of-the-provider')
      response.writeHead(303, { location: back.href }).end()
    },
    '/token': async (_url, sent, response) => {
      const code = sent.get('code') ?? ''
      const grant = granted.get(code)
      granted.delete(code)
      const challenge = createHash('sha256')
        .update(sent.get('code_verifier') ?? '')
        .digest('base64url')
      const isClient =
        sent.get('client_id') === testClient.clientId && sent.get('client_secret') === testClient.clientSecret
      if (!grant || !isClient || challenge !== grant.challenge || sent.get('redirect_uri') !== grant.redirectUri) {
        provider.refusals.push(code)
        return json(response, 400, { error: 'invalid_grant' })
      }
      json(response, 200, { access_token: 'a', token_type: 'Bearer', expires_in: 300, id_token: await sign(grant) })
    },
  }

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    void bodyOf(request).then((body) => (routes[url.pathname] ?? nothing)(url, body, response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}

const nothing = (_url: URL, _body: URLSearchParams, response: ServerResponse) => json(response, 404, {})

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}
