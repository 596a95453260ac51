import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AddressesOfRegion, Role } from '@vedette/wire'
import { readConfiguration, type Configuration } from '@vedette/wire/configuration'
import { StartRefused } from './start-refused.ts'

type Values = Configuration<'server'>
type Oidc = 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcDomains' | 'oidcRole' | 'oidcAccountId'
type Bootstrap = 'bootstrapAccountId' | 'bootstrapApiKey' | 'bootstrapEmail' | 'bootstrapPassword'

/** The settings that the server reads from its environment, once, as `@vedette/wire/configuration` defines them. */
export interface Config extends Omit<Values, Bootstrap | Oidc> {
  /** Values for the first account. */
  bootstrap: { accountId?: string; apiKey?: string; email?: string; password?: string }
  trustedProxies: string[]
  accountHeaders: string[]
  staticIps: AddressesOfRegion[]
  /** Undefined when people sign in with passwords alone. */
  oidc: OidcConfig | undefined
  assetsDir: string
}

export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  domains: readonly string[] | undefined
  role: Role | undefined
  accountId: string | undefined
}

/** Reads the settings. Throws `StartRefused` with everything that is wrong: setting, value and what was expected. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const all = readConfiguration('server', {
    env,
    readFile: (path) => readFileSync(path, 'utf8'),
    refusal: (message) => new StartRefused(message),
  })
  const { bootstrapAccountId, bootstrapApiKey, bootstrapEmail, bootstrapPassword, ...others } = all
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcDomains, oidcRole, oidcAccountId, ...values } = others
  return {
    ...values,
    dataDir: resolve(values.dataDir),
    assetsDir: resolve(values.assetsDir ?? join(values.dataDir, 'assets')),
    trustedProxies: values.trustedProxies ?? [],
    accountHeaders: values.accountHeaders ?? [],
    staticIps: values.staticIps ?? [],
    bootstrap: {
      accountId: bootstrapAccountId,
      apiKey: bootstrapApiKey,
      email: bootstrapEmail,
      password: bootstrapPassword,
    },
    oidc:
      oidcIssuer === undefined || oidcClientId === undefined
        ? undefined
        : {
            issuer: oidcIssuer,
            clientId: oidcClientId,
            clientSecret: oidcClientSecret,
            domains: oidcDomains,
            role: oidcRole === 'none' ? undefined : oidcRole,
            accountId: oidcAccountId,
          },
  }
}
