import { build } from '../scripts/build.mjs'

/** Stories start what ships. Vitest calls this once before them. */
export const setup = (): void => build()
