import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AddressesOfRegion } from '@vedette/wire'
import { readConfiguration, type Configuration } from '@vedette/wire/configuration'
import { StartRefused } from './start-refused.ts'

type Values = Configuration<'server'>
type Bootstrap = 'bootstrapAccountId' | 'bootstrapApiKey' | 'bootstrapEmail' | 'bootstrapPassword'

/** The settings that the server reads from its environment, once, as `@vedette/wire/configuration` defines them. */
export interface Config extends Omit<Values, Bootstrap> {
  /** Values for the first account. */
  bootstrap: { accountId?: string; apiKey?: string; email?: string; password?: string }
  trustedProxies: string[]
  staticIps: AddressesOfRegion[]
}

/** Reads the settings. Throws `StartRefused` with everything that is wrong: setting, value and what was expected. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { bootstrapAccountId, bootstrapApiKey, bootstrapEmail, bootstrapPassword, ...values } = readConfiguration(
    'server',
    {
      env,
      readFile: (path) => readFileSync(path, 'utf8'),
      refusal: (message) => new StartRefused(message),
    },
  )
  return {
    ...values,
    dataDir: resolve(values.dataDir),
    trustedProxies: values.trustedProxies ?? [],
    staticIps: values.staticIps ?? [],
    bootstrap: {
      accountId: bootstrapAccountId,
      apiKey: bootstrapApiKey,
      email: bootstrapEmail,
      password: bootstrapPassword,
    },
  }
}
