import { customType, timestamp } from 'drizzle-orm/pg-core'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const timestamptz = (name: string) => timestamp(name, { withTimezone: true })

/** Sealed values by the dotted path of the field they stand for. */
export type SealedSecrets = Record<string, string>
