import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of the PostgreSQL server programs (initdb, postgres): newest installed. Undefined when there is none. */
export function findPostgres() {
  const versions = '/usr/lib/postgresql'
  const packaged = existsSync(versions)
    ? readdirSync(versions)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, 'bin'))
    : []
  const onPath = (process.env.PATH ?? '').split(':')
  return [...packaged, ...onPath].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
}
