import { apiCheckType } from './api/definition.ts'
import type { AnyCheckType } from './core/check-type.ts'
import { heartbeatCheckType } from './heartbeat/definition.ts'
import { tcpCheckType } from './tcp/definition.ts'

/** Every check type that is built. Routes, schemas, forms and abilities follow from this list. */
const builtTypes = [apiCheckType, tcpCheckType, heartbeatCheckType] as const
export type BuiltCheckType = (typeof builtTypes)[number]

export const checkTypes: readonly AnyCheckType[] = builtTypes

const byName = new Map<string, AnyCheckType>(checkTypes.map((type) => [type.type, type]))

/** The check type of that name; undefined when it is unknown or not built. */
export const checkTypeOf = (name: string): AnyCheckType | undefined => byName.get(name)
