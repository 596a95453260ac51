import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { catchUp } from './catch-up.ts'
import { forgetListChanges, listChanges, noteListChange } from './list-changes.ts'

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
  forgetListChanges()
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
  expect(listChanges().size).toBe(0)
})

test('when its counts are not what they were, the list has a change that waits for whoever is at it', async () => {
  const liveSince = await readAll()
  failing = 1
  await catchUp(client, liveSince)
  expect(asked).toEqual(['counts', 'history'])
  expect(listChanges().size).toBe(1)
  // The event of that change came after all, or had come before: it is one change.
  noteListChange(['a check'])
  expect([...listChanges()]).toEqual(['a check'])
  await catchUp(client, Date.now() + 1000)
  failing = 2
  await catchUp(client, Date.now() + 1000)
  expect([...listChanges()]).toEqual(['a check'])
})

test('what was read since is not read again', async () => {
  const liveSince = (await readAll()) - 60_000
  await catchUp(client, liveSince)
  expect(asked).toEqual([])
})
