import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failure, givenFailingFiles, type FailingFiles } from '../../test-support/failing-files.ts'
import { Spool } from './spool.ts'

let folder: string
let files: FailingFiles
let open: Spool[]
let said: string[]

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'spool-')), 'spool')
  files = givenFailingFiles()
  open = []
  said = []
})

afterEach(async () => {
  files.failing.clear()
  await Promise.all(open.map((spool) => spool.close()))
  rmSync(join(folder, '..'), { recursive: true })
})

async function givenSpool(maxBytes?: number): Promise<Spool> {
  const log = pino({ level: 'debug' }, { write: (line) => void said.push(line) })
  const spool = await Spool.open({ folder, log, files, ...(maxBytes === undefined ? {} : { maxBytes }) })
  open.push(spool)
  return spool
}

const report = (text = 'x') => ({ attemptId: randomUUID(), report: JSON.stringify({ text }) })
const names = (suffix: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .toSorted()
const fileAt = (index: number) => join(folder, String(names('.spool')[index]))
const errors = () => said.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)

/** Delivers everything as the agent does, and answers what came. */
async function emptied(spool: Spool): Promise<string[]> {
  const delivered: string[] = []
  while (spool.size > 0) {
    const portion = await spool.oldest(2, 1e6)
    delivered.push(...portion.map(({ attemptId }) => attemptId))
    await spool.forget(portion.map(({ attemptId }) => attemptId))
  }
  return delivered
}

const idsOf = (reports: { attemptId: string }[]) => reports.map(({ attemptId }) => attemptId)

describe('an append that fails half-way', () => {
  test.each([
    ['is cut off again', 'truncate-works'],
    ['costs nothing even when it cannot be cut off', 'truncate-fails'],
  ])('%s', async (_, how) => {
    const spool = await givenSpool()
    const [first, second, third] = [report('first'), report('second'), report('third')]
    await spool.append([first])
    files.tornAfter = 30
    files.failing.set('append', 'ENOSPC')
    if (how === 'truncate-fails') files.failing.set('truncate', 'EIO')
    await expect(spool.append([second])).rejects.toThrow('ENOSPC')
    files.failing.clear()
    await spool.append([second])
    await spool.append([third])
    expect(spool.size).toBe(3)
    expect(await emptied(spool)).toEqual(idsOf([first, second, third]))
    expect(spool.unreadable).toBe(0)
    expect(readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual([])
  })

  test('leaves nothing behind that a new start would stumble over', async () => {
    const before = await givenSpool()
    const [first, second] = [report('first'), report('second')]
    await before.append([first])
    files.tornAfter = 30
    files.failing.set('append', 'ENOSPC')
    await expect(before.append([second])).rejects.toThrow('ENOSPC')
    files.failing.clear()
    await before.append([second])
    await before.close()
    const after = await givenSpool()
    expect(await emptied(after)).toEqual(idsOf([first, second]))
    expect(after.unreadable).toBe(0)
  })

  test('is known to the spool until one succeeds', async () => {
    const spool = await givenSpool()
    files.failing.set('datasync', 'EIO')
    await expect(spool.append([report()])).rejects.toThrow('EIO')
    expect(spool.trouble).toContain('EIO')
    files.failing.clear()
    await spool.append([report()])
    expect(spool.trouble).toBeUndefined()
    expect(await emptied(spool)).toHaveLength(1)
  })

  test.each(['open', 'append', 'datasync'] as const)('at %s leaves no empty file', async (call) => {
    const spool = await givenSpool()
    files.failing.set(call, 'ENOSPC')
    for (let time = 0; time < 3; time++) await expect(spool.append([report()])).rejects.toThrow('ENOSPC')
    expect(names('.spool')).toEqual([])
  })
})

describe('a segment that cannot be read', () => {
  const givenTwoSegments = async () => {
    const spool = await givenSpool(4000)
    const reports = [report('a'.repeat(1000)), report('b'.repeat(1000)), report('c')]
    for (const one of reports) await spool.append([one])
    expect(names('.spool').length).toBeGreaterThan(1)
    return { spool, reports }
  }

  test('is set aside, counted and said once; later segments are delivered', async () => {
    const { spool, reports } = await givenTwoSegments()
    const [bad, read] = [fileAt(0), files.readFile]
    files.readFile = (file) => (file === bad ? Promise.reject(failure('EIO', 'read')) : read(file))
    expect(await emptied(spool)).toEqual(idsOf(reports.slice(1)))
    expect(spool.unreadable).toBe(1)
    expect(names('.unreadable')).toHaveLength(1)
    expect(names('.spool')).toEqual([])
    expect(errors()).toHaveLength(1)
  })

  test.each([
    ['was cut by hand in the middle of a record', () => truncateSync(fileAt(0), 500)],
    ['was emptied by hand', () => truncateSync(fileAt(0), 0)],
    ['vanished', () => rmSync(fileAt(0))],
    ['was overwritten', () => writeFileSync(fileAt(0), Buffer.alloc(2000, 0xff))],
  ])('that %s does not hold up the others', async (_, damage) => {
    const { spool, reports } = await givenTwoSegments()
    damage()
    expect(await emptied(spool)).toEqual(idsOf(reports.slice(1)))
    expect(spool.unreadable).toBe(1)
    expect(errors()).toHaveLength(1)
  })

  test('stays where it is while the process has too many open files', async () => {
    const { spool, reports } = await givenTwoSegments()
    files.failing.set('readFile', 'EMFILE')
    await expect(spool.oldest(10, 1e6)).rejects.toThrow('EMFILE')
    files.failing.clear()
    expect(await emptied(spool)).toEqual(idsOf(reports))
    expect(spool.unreadable).toBe(0)
  })

  test('is passed over also when it cannot be renamed', async () => {
    const { spool, reports } = await givenTwoSegments()
    truncateSync(fileAt(0), 500)
    files.failing.set('rename', 'EROFS')
    expect(await emptied(spool)).toEqual(idsOf(reports.slice(1)))
  })

  test('at the start is set aside, and the start succeeds', async () => {
    const { spool, reports } = await givenTwoSegments()
    await spool.close()
    files.failing.set('readFile', 'EIO')
    const blind = await givenSpool()
    expect(blind.size).toBe(0)
    expect(blind.unreadable).toBeGreaterThan(0)
    await blind.close()
    expect(names('.spool')).toEqual([])
    expect(names('.unreadable').length).toBeGreaterThan(1)
    expect(reports).toHaveLength(3)
  })
})

describe('what an earlier process left', () => {
  test('of a newer version is kept aside, not deleted', async () => {
    await (await givenSpool()).close()
    writeFileSync(join(folder, '000000000004.spool'), 'v9 a format of tomorrow\n')
    const spool = await givenSpool()
    expect(spool.size).toBe(0)
    expect(spool.unreadable).toBe(1)
    expect(readFileSync(join(folder, '000000000004.spool.unreadable'), 'utf8')).toContain('tomorrow')
    await spool.append([report()])
    expect(names('.spool')).toEqual(['000000000005.spool'])
  })

  test('is loaded whatever else is in the folder', async () => {
    const before = await givenSpool()
    const one = report()
    await before.append([one])
    await before.close()
    writeFileSync(join(folder, 'notes.spool'), 'mine')
    writeFileSync(join(folder, '000000000000.spool'), '')
    const after = await givenSpool()
    expect(await emptied(after)).toEqual([one.attemptId])
    await after.append([report()])
    expect(names('.spool')).toHaveLength(2)
    expect(readFileSync(join(folder, 'notes.spool'), 'utf8')).toBe('mine')
  })

  test('torn at its end is delivered, and its torn part kept aside; only so many are kept', async () => {
    await (await givenSpool()).close()
    for (let number = 1; number <= 20; number++) {
      appendFileSync(join(folder, `${String(number).padStart(12, '0')}.spool`), 'deadbeef torn')
    }
    const spool = await givenSpool()
    expect(spool.unreadable).toBe(20)
    expect(names('.unreadable')).toHaveLength(16)
    expect(names('.unreadable').at(-1)).toBe('000000000020.spool.unreadable')
  })
})

describe('a folder in trouble', () => {
  test('a delivered segment that cannot be deleted does not come again, and is deleted later', async () => {
    const spool = await givenSpool()
    const [first, second] = [report('first'), report('second')]
    await spool.append([first])
    files.failing.set('rm', 'EROFS')
    await spool.forget([first.attemptId])
    expect(spool.size).toBe(0)
    files.failing.clear()
    await spool.append([second])
    expect(await emptied(spool)).toEqual([second.attemptId])
    expect(names('.spool')).toEqual([])
  })

  test('that vanished is made again', async () => {
    const spool = await givenSpool()
    await spool.append([report('lost')])
    rmSync(folder, { recursive: true })
    const next = report('next')
    await spool.append([next])
    expect(await emptied(spool)).toEqual([next.attemptId])
    expect(spool.unreadable).toBe(1)
    expect(readdirSync(folder).some((name) => name.endsWith('.lock'))).toBe(true)
  })

  test('whose newest file was deleted keeps the other results', async () => {
    const spool = await givenSpool(4000)
    const reports = [report('a'.repeat(1000)), report('b'), report('c')]
    await spool.append(reports.slice(0, 1))
    await spool.append(reports.slice(1, 2))
    rmSync(fileAt(1))
    await spool.append(reports.slice(2))
    expect(await emptied(spool)).toEqual([reports[0]?.attemptId, reports[2]?.attemptId])
    expect(spool.unreadable).toBe(1)
  })

  test('that cannot be written to at the start is tried again with every append', async () => {
    files.failing.set('readdir', 'EIO')
    const spool = await givenSpool()
    expect(spool.trouble).toContain('EIO')
    await expect(spool.append([report()])).rejects.toThrow('EIO')
    files.failing.clear()
    const one = report()
    await spool.append([one])
    expect(spool.trouble).toBeUndefined()
    expect(await emptied(spool)).toEqual([one.attemptId])
  })

  test('that is none at all is a wrong setting, unless the spool is optional', async () => {
    const file = join(folder, '..', 'a-file')
    writeFileSync(file, '')
    const options = { folder: join(file, 'spool'), log: pino({ level: 'silent' }) }
    await expect(Spool.open(options)).rejects.toThrow('ENOTDIR')
    const spool = await Spool.open({ ...options, isOptional: true })
    expect(spool.trouble).toContain('ENOTDIR')
    await expect(spool.append([report()])).rejects.toThrow('ENOTDIR')
    rmSync(file)
    await spool.append([report()])
    expect(spool.size).toBe(1)
    await spool.close()
  })
})
