import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDataDir } from '../../../test-support/database.ts'
import { openDirectory } from './engine.ts'
import { simpleQuery } from './messages.ts'
import { SyncNodeFs } from './sync-node-fs.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-'))
  await seedDataDir(folder)
})

afterAll(() => rm(folder, { recursive: true }))

async function directoryNamed(name: string): Promise<string> {
  const directory = join(folder, name)
  await cp(join(folder, 'database'), directory, { recursive: true })
  return directory
}

class FailingFs extends SyncNodeFs {
  broken = false

  protected override sync(descriptor: number): void {
    if (this.broken) throw Object.assign(new Error('the disk is gone'), { code: 'EIO' })
    super.sync(descriptor)
  }
}

test('every commit is followed by an fsync before it is answered', async () => {
  const directory = await directoryNamed('counted')
  const files = new SyncNodeFs(directory)
  const engine = await openDirectory(directory, { files })
  await engine.execute(simpleQuery('CREATE TABLE counted (n int)'))
  for (let n = 0; n < 50; n += 1) {
    const before = files.syncs
    await engine.execute(simpleQuery(`INSERT INTO counted VALUES (${n})`))
    expect(files.syncs - before).toBeGreaterThanOrEqual(1)
  }
  const before = files.syncs
  await engine.execute(simpleQuery('SELECT count(*) FROM counted'))
  expect(files.syncs).toBe(before)
  await engine.close()
})

test('a database whose commits do not reach the disk is refused at the start', async () => {
  const directory = await directoryNamed('stock')
  await expect(openDirectory(directory, { startParams: PGlite.defaultStartParams })).rejects.toThrow(
    'a commit was not followed by an fsync',
  )
})

test('a commit whose fsync failed is never acknowledged, nor is anything after it', async () => {
  const directory = await directoryNamed('failing')
  const files = new FailingFs(directory)
  const engine = await openDirectory(directory, { files })
  await engine.execute(simpleQuery('CREATE TABLE failing (n int)'))
  files.broken = true
  await expect(engine.execute(simpleQuery('INSERT INTO failing VALUES (1)'))).rejects.toThrow('could not fsync file')
  files.broken = false
  await expect(engine.execute(simpleQuery('SELECT 1'))).rejects.toThrow('could not fsync file')
})
