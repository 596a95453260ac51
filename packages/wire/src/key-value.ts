import { z } from 'zod'

/** A name and a value that is sent with a request. `locked` hides the value in the web app. */
export const keyValueSchema = z.strictObject({
  key: z.string().max(1000).describe('Name.'),
  value: z.string().max(20_000).describe('Value; `{{NAME}}` inserts a variable.'),
  locked: z.boolean().optional().describe('Hide the value in the web app.'),
})

export const storedKeyValueSchema = z.object({ key: z.string(), value: z.string(), locked: z.boolean() })
export type KeyValue = z.infer<typeof storedKeyValueSchema>

/** Fills in what pairs leave out. */
export const completePairs = (pairs: z.infer<typeof keyValueSchema>[] | undefined): KeyValue[] =>
  (pairs ?? []).map(({ key, value, locked }) => ({ key, value, locked: locked ?? false }))

/** User and password of HTTP basic authentication. */
export const basicAuthSchema = z.strictObject({
  username: z.string().max(1000),
  password: z.string().max(4000).describe('Secret: stored encrypted and answered masked.'),
})

/** Variables of a check or group itself. `secret` values are encrypted, never answered and scrubbed from results. */
export const variablesSchema = (most: number) =>
  z
    .array(
      z.strictObject({
        key: z
          .string()
          .max(255)
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and underscores, and not start with a digit'),
        value: z.string().max(20_000),
        locked: z.boolean().optional(),
        secret: z.boolean().optional(),
      }),
    )
    .max(most)
    .nullable()

export const storedEnvironmentVariablesSchema = z
  .array(z.object({ key: z.string(), value: z.string(), locked: z.boolean(), secret: z.boolean() }))
  .nullable()
export type StoredVariables = z.infer<typeof storedEnvironmentVariablesSchema>

/** Fills in what variables leave out. A list that is null or was not sent is stored as null. */
export const completeVariables = (sent: z.infer<ReturnType<typeof variablesSchema>> | undefined): StoredVariables =>
  sent?.map(({ key, value, locked, secret }) => ({ key, value, locked: locked ?? false, secret: secret ?? false })) ??
  null
