import type { CheckSession } from '@vedette/wire'
import { expect, test } from 'vitest'
import { sessionsOfRun } from './group-run.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
const session = (checkSessionId: string, startedAt: string, runSource = 'GROUP_RUN_ALL') =>
  ({ checkSessionId, startedAt, runSource }) as CheckSession

/** Pages as the API answers them, and which of them were asked for. */
function pagesOf(...pages: CheckSession[][]) {
  const asked: number[] = []
  const read = (page: number) => {
    asked.push(page)
    return Promise.resolve({ items: pages[page - 1] ?? [], total: 0 })
  }
  return { asked, read }
}

test('a run of a group is the sessions of groups that began with it', async () => {
  const { read } = pagesOf([
    session('later', at(9)),
    session('a', at(5)),
    session('alone', at(5), 'TRIGGER_API'),
    session('b', at(5)),
    session('earlier', at(1)),
  ])
  expect((await sessionsOfRun(at(5), read)).map(({ checkSessionId }) => checkSessionId)).toEqual(['a', 'b'])
})

test('it goes on over pages, names nothing twice that moved to the next one, and ends after the run', async () => {
  const { read, asked } = pagesOf(
    [session('later', at(9)), session('a', at(5))],
    [session('a', at(5)), session('b', at(5))],
    [session('c', at(5)), session('earlier', at(1))],
    [session('long ago', at(0))],
  )
  expect((await sessionsOfRun(at(5), read)).map(({ checkSessionId }) => checkSessionId)).toEqual(['a', 'b', 'c'])
  expect(asked).toEqual([1, 2, 3])
})

test('it gives up on a run that is long ago, and ends where nothing is listed', async () => {
  let asked = 0
  const endless = () => {
    asked++
    return Promise.resolve({ items: [session(`later ${asked}`, at(9))], total: 0 })
  }
  expect(await sessionsOfRun(at(5), endless)).toEqual([])
  expect(asked).toBe(20)
  expect(await sessionsOfRun(at(5), pagesOf().read)).toEqual([])
})
