import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { attemptId } from '@vedette/wire/ids'
import { DirectoryInUse, lockDirectory, startOfProcess } from '@vedette/checks/process'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Spool } from './spool.ts'

let folder: string
let open: Spool[]
let said: string[]

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'spool-')), 'spool')
  open = []
  said = []
})

afterEach(async () => {
  await Promise.all(open.map((spool) => spool.close()))
  rmSync(join(folder, '..'), { recursive: true })
})

async function givenSpool(maxBytes?: number): Promise<Spool> {
  const log = pino({ level: 'debug' }, { write: (line) => void said.push(line) })
  const spool = await Spool.open({ folder, log, ...(maxBytes === undefined ? {} : { maxBytes }) })
  open.push(spool)
  return spool
}

const report = (text = 'x') => ({ attemptId: randomUUID(), report: JSON.stringify({ text }) })
const files = () => readdirSync(folder).filter((name) => name.endsWith('.spool'))

test('what was appended is there after a new start, oldest first', async () => {
  const before = await givenSpool()
  const reports = [report('one'), report('two\nlines'), report('é')]
  await before.append(reports.slice(0, 2))
  await before.append(reports.slice(2))
  await before.close()
  const after = await givenSpool()
  expect(after.attemptIds(10)).toEqual(reports.map(({ attemptId }) => attemptId))
  expect(await after.oldest(10, 1e6)).toEqual(reports)
})

test('reports come in portions by number and by size, one at least', async () => {
  const spool = await givenSpool()
  const reports = [report('a'.repeat(100)), report('b'.repeat(100)), report('c')]
  await spool.append(reports)
  expect(await spool.oldest(2, 1e6)).toEqual(reports.slice(0, 2))
  expect(await spool.oldest(3, 150)).toEqual(reports.slice(0, 1))
  expect(await spool.oldest(3, 1)).toEqual(reports.slice(0, 1))
})

test('forgotten reports do not come again, and take no space', async () => {
  const spool = await givenSpool()
  const [first, second] = [report(), report()]
  await spool.append([first, second])
  await spool.forget([first.attemptId])
  expect(await spool.oldest(10, 1e6)).toEqual([second])
  await spool.forget([second.attemptId])
  expect(files()).toEqual([])
  await spool.append([first])
  expect(await spool.oldest(10, 1e6)).toEqual([first])
})

test('a torn last record costs itself alone', async () => {
  const before = await givenSpool()
  const whole = report('whole')
  await before.append([whole, report('torn')])
  await before.close()
  const file = join(folder, String(files()[0]))
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -10))
  const after = await givenSpool()
  expect(await after.oldest(10, 1e6)).toEqual([whole])
  const later = report('later')
  await after.append([later])
  await after.forget([whole.attemptId])
  expect(await after.oldest(10, 1e6)).toEqual([later])
})

test('a damaged record in the middle costs itself alone', async () => {
  const before = await givenSpool()
  const reports = [report('first'), report('broken'), report('last')]
  await before.append(reports)
  await before.close()
  const file = join(folder, String(files()[0]))
  writeFileSync(file, readFileSync(file, 'utf8').replace('broken', 'brOken'))
  const after = await givenSpool()
  expect(await after.oldest(10, 1e6)).toEqual([reports[0], reports[2]])
  expect(said.join()).toContain('"damaged":1')
})

test('a full spool drops its oldest reports, counts them and says so', async () => {
  const spool = await givenSpool(4000)
  const reports = Array.from({ length: 20 }, () => report('x'.repeat(300)))
  for (const one of reports) await spool.append([one])
  const bytes = files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(bytes).toBeLessThanOrEqual(4000)
  expect(spool.dropped).toBe(20 - spool.size)
  expect(spool.dropped).toBeGreaterThan(0)
  expect(spool.attemptIds(100)).toEqual(reports.slice(-spool.size).map(({ attemptId }) => attemptId))
  expect(said.join()).toContain(`"dropped":${spool.dropped}`)
})

const verdictOf = (outcome: string, degraded = false) => ({
  attemptId: randomUUID(),
  report: JSON.stringify({ verdict: { outcome, degraded }, text: 'x'.repeat(250) }),
})

test('a full spool drops its oldest passes first, and what somebody must be told of last', async () => {
  const spool = await givenSpool(4000)
  const failure = verdictOf('fail')
  const degraded = verdictOf('pass', true)
  const unknown = verdictOf('unknown')
  const passes = Array.from({ length: 30 }, () => verdictOf('pass'))
  const plainPass = verdictOf('pass')
  // Without it the run whose first attempt failed would have no end.
  const lastAttempt = { ...plainPass, report: `${plainPass.report.slice(0, -1)},"retried":false}` }
  const kept = [failure, degraded, unknown, lastAttempt]
  for (const one of [passes[0]!, ...kept, ...passes.slice(1)]) await spool.append([one])
  const left = spool.attemptIds(100)
  expect(left.slice(0, 4)).toEqual(kept.map(({ attemptId }) => attemptId))
  expect(left.slice(4)).toEqual(passes.slice(4 - left.length).map(({ attemptId }) => attemptId))
  expect(spool.dropped).toBe(34 - left.length)
  const bytes = files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(bytes).toBeLessThanOrEqual(4000)
  expect((await spool.oldest(3, 1e6))[0]).toEqual(failure)
  await spool.close()
  expect((await givenSpool()).attemptIds(100)).toEqual(left)
})

test('a spool that is full of failures drops the oldest of them', async () => {
  const spool = await givenSpool(4000)
  const failures = Array.from({ length: 30 }, () => verdictOf('fail'))
  for (const one of failures) await spool.append([one])
  expect(spool.attemptIds(100)).toEqual(failures.slice(-spool.size).map(({ attemptId }) => attemptId))
})

test('results that are more than a week older than the newest are dropped', async () => {
  const spool = await givenSpool(8000)
  const check = randomUUID()
  const dueAt = (at: number) => ({ ...verdictOf('fail'), attemptId: attemptId(check, at, 0) })
  const now = Date.UTC(2026, 0, 20)
  const old = Array.from({ length: 12 }, (_, nth) => dueAt(now - 9 * 86_400_000 + nth))
  const recent = Array.from({ length: 8 }, (_, nth) => dueAt(now - nth))
  for (const one of [...old, ...recent]) await spool.append([one])
  expect(spool.attemptIds(100).filter((id) => old.some(({ attemptId: own }) => own === id)).length).toBeLessThan(7)
  expect(spool.attemptIds(100)).toEqual(expect.arrayContaining(recent.map(({ attemptId: id }) => id)))
})

test('a folder has one owner at a time', async () => {
  const first = await givenSpool()
  await expect(givenSpool()).rejects.toThrow(DirectoryInUse)
  await first.close()
  await givenSpool()
})

async function lockText(): Promise<string> {
  const lock = await lockDirectory(folder)
  const text = readFileSync(join(folder, String(readdirSync(folder)[0])), 'utf8')
  await lock.release()
  return text
}

test.each([
  ['of a process that is gone', (own: string) => own.replace(/"pid":\d+/, '"pid":99999999')],
  ['of an earlier process with the same id', (own: string) => own.replace(/"started":"[^"]*"/, '"started":"1"')],
  ['that was cut short', () => ''],
])('a lock %s is taken over', async (_, leftBehind) => {
  mkdirSync(folder)
  const own = await lockText()
  expect(leftBehind(own)).not.toBe(own)
  writeFileSync(join(folder, 'vedette-left-behind.lock'), leftBehind(own))
  await givenSpool()
  expect(readdirSync(folder)).not.toContain('vedette-left-behind.lock')
})

test('nobody else on the machine can read the reports', async () => {
  const spool = await givenSpool()
  await spool.append([report()])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, String(files()[0]))).mode & 0o777).toBe(0o600)
})

test('an agent of the first version that still finishes its runs keeps its folder until it is gone', async () => {
  mkdirSync(folder)
  const lock = join(folder, 'lock')
  writeFileSync(lock, `${process.pid} ${await startOfProcess(process.pid)}`)
  await expect(givenSpool()).rejects.toThrow(DirectoryInUse)
  writeFileSync(lock, `${process.pid} 1`)
  const spool = await givenSpool()
  expect(spool.size).toBe(0)
})
