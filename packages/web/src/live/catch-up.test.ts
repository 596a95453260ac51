import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { catchUp } from './catch-up.ts'

const keys = {
  counts: ['overview', 'counts'],
  rows: ['overview', 'rows', {}, 0],
  history: ['history', 'a check'],
  session: ['session'],
}

let client: QueryClient
let failing: number
let asked: string[]
let leave: (() => void)[]

beforeEach(() => {
  client = new QueryClient()
  failing = 0
  asked = []
  leave = Object.entries(keys).map(([name, queryKey]) => {
    const queryFn = () => {
      asked.push(name)
      return Promise.resolve(name === 'counts' ? { counts: { failing } } : { name })
    }
    return new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined)
  })
})
afterEach(() => {
  for (const each of leave) each()
})

/** All are read, at a time before the line is open. */
async function readAll(): Promise<number> {
  await Promise.all(Object.values(keys).map((queryKey) => client.refetchQueries({ queryKey })))
  asked = []
  return Date.now() + 1000
}

test('what was read before the line was open is read again, of the list its counts alone', async () => {
  await catchUp(client, await readAll())
  expect(asked).toEqual(['counts', 'history'])
})

test('the list is read again when its counts are not what they were', async () => {
  const liveSince = await readAll()
  failing = 1
  await catchUp(client, liveSince)
  expect(asked).toEqual(['counts', 'history', 'rows'])
})

test('what was read since is not read again', async () => {
  const liveSince = (await readAll()) - 60_000
  await catchUp(client, liveSince)
  expect(asked).toEqual([])
})
