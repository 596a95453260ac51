import type { EgressPolicy } from '@vedette/checks'
import type { Role } from '@vedette/wire'
import * as openid from 'openid-client'
import { requestGuarded } from '../../alerting/index.ts'

/** How people sign in with an identity provider. */
export interface OidcSettings {
  issuer: string
  clientId: string
  /** Undefined for a public client. */
  clientSecret: string | undefined
  /** Of e-mail addresses that may sign in; undefined for all. */
  domains: readonly string[] | undefined
  /** The role of people whom only the provider knows; undefined lets none of them in. */
  role: Role | undefined
  /** The account that they join; undefined for that of the operator. */
  accountId: string | undefined
  /** Which addresses the provider may have. */
  egress: () => EgressPolicy
}

/** What has to be kept between leaving for the provider and coming back. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/** What the provider says of a person. */
export interface Identity {
  issuer: string
  subject: string
  /** Undefined when the provider has not verified it. */
  email: string | undefined
  name: string | undefined
}

const limitMs = 10_000
/** Documents of providers with many keys are larger than the answers of webhooks. */
const answerBytes = 1024 * 1024
const tolerableSeconds = 30

/** The provider, found and read at the first sign-in. It is read again after it could not be. */
export function oidcProvider(settings: OidcSettings) {
  const guarded = guardedFetch(settings)
  let found: Promise<openid.Configuration> | undefined

  const configuration = () =>
    (found ??= discover(settings, guarded).catch((error: unknown) => {
      found = undefined
      throw error
    }))

  return {
    /** Where the browser goes, and what must be kept until it comes back. */
    async leave(redirectUri: string): Promise<{ url: URL; attempt: Attempt }> {
      const attempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      }
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })
      return { url, attempt }
    },

    /** Exchanges the code in the address for who the person is. Throws when anything does not fit the attempt. */
    async comeBack(address: URL, { state, nonce, verifier }: Attempt): Promise<Identity> {
      const tokens = await openid.authorizationCodeGrant(await configuration(), address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider sent no ID token.')
      const { email, email_verified: isVerified, name } = claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof email === 'string' && isVerified === true ? email : undefined,
        name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 255) : undefined,
      }
    },
  }
}

async function discover(settings: OidcSettings, guarded: openid.CustomFetch): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const client = { [openid.clockTolerance]: tolerableSeconds }
  const authentication = clientSecret === undefined ? openid.None() : openid.ClientSecretPost(clientSecret)
  // The setting allows http on this machine only.
  const insecure = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
  // Signatures are checked although the token comes from the provider itself: a proxy may stand between.
  const execute = [openid.enableNonRepudiationChecks, ...insecure]
  const options = { [openid.customFetch]: guarded, execute, timeout: limitMs / 1000 }
  return openid.discovery(new URL(issuer), clientId, client, authentication, options)
}

/** The part of `fetch` that the library uses, over the egress guard. */
const guardedFetch =
  ({ egress }: OidcSettings): openid.CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const answer = await requestGuarded(
      { url: new URL(address), method, headers: { ...headers }, body: textOf(body) },
      { egress: egress(), signal: signal ?? AbortSignal.timeout(limitMs), limitMs, bytes: answerBytes },
    )
    const type = answer.headers['content-type']
    const isEmpty = [204, 205, 304].includes(answer.status)
    return new Response(isEmpty ? null : answer.body, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('A request to the provider has a body that is no text.')
}
