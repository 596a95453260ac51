import { agenticCheckType } from './agentic/definition.ts'
import { apiCheckType } from './api/definition.ts'
import { browserCheckType } from './browser/definition.ts'
import type { AnyCheckType, Definition, ScheduledMode } from './core/check-type.ts'
import { dnsCheckType } from './dns/definition.ts'
import { heartbeatCheckType } from './heartbeat/definition.ts'
import { icmpCheckType } from './icmp/definition.ts'
import { multiStepCheckType } from './multistep/definition.ts'
import { playwrightCheckType } from './playwright/definition.ts'
import { sslCheckType } from './ssl/definition.ts'
import { tcpCheckType } from './tcp/definition.ts'
import { urlCheckType } from './url/definition.ts'

/** A type whose `run.ts` is to come. It cannot be tried before it is saved either. */
const withoutRunner = <Type extends AnyCheckType>(type: Type): Type => ({ ...type, awaitsRunner: true, dryRun: false })

/** Every check type that is defined. Routes, schemas, forms and abilities follow from this list. */
const builtTypes = [
  apiCheckType,
  urlCheckType,
  tcpCheckType,
  heartbeatCheckType,
  dnsCheckType,
  icmpCheckType,
  sslCheckType,
  withoutRunner(browserCheckType),
  withoutRunner(multiStepCheckType),
  withoutRunner(playwrightCheckType),
  withoutRunner(agenticCheckType),
] as const
export type BuiltCheckType = (typeof builtTypes)[number]

export const checkTypes: readonly AnyCheckType[] = builtTypes

const byName = new Map<string, AnyCheckType>(checkTypes.map((type) => [type.type, type]))

/** The check type of that name; undefined when it is unknown or not built. */
export const checkTypeOf = (name: string): AnyCheckType | undefined => byName.get(name)

/** How checks of the type are run; undefined for types that wait for events, and for those without a runner. */
export const runModeOf = (type: AnyCheckType | undefined): ScheduledMode<Definition> | undefined =>
  type?.mode.kind === 'scheduled' && type.awaitsRunner !== true ? type.mode : undefined
