import type { AnyCheckType, Definition } from '@vedette/checks'

/** Bounds what the index of the list holds. Names of hosts are shorter. */
const longestHost = 255

/** What a check looks at: the text that is searched, and the host that the list filters and groups by. */
export const targetOf = (type: AnyCheckType, definition: Definition): { target: string; host: string } => ({
  target: type.target(definition),
  host: Array.from(type.describe(definition).host).slice(0, longestHost).join(''),
})
