import { readFileSync } from 'node:fs'
import { runtimeIds, runtimeResponse, type Runtime } from '@vedette/wire'

const folder = new URL('../../../../../runtimes/', import.meta.url)

/** The manifests of all runtimes that a check may name, the newest first. Throws when one is not there or not valid. */
export const readRuntimes = (): Runtime[] =>
  runtimeIds.map((id) =>
    runtimeResponse.parse(JSON.parse(readFileSync(new URL(`${id}/manifest.json`, folder), 'utf8'))),
  )
