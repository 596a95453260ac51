import { build } from '../scripts/build.mjs'

/** Builds the product. Vitest calls this once before the stories. */
export const setup = (): void => build()
