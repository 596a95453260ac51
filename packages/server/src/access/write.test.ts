import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { systemClock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { writer } from './write.ts'

const database = useDatabase()

/** Makes one write, on a connection that may fail after the commit. Answers what its caller and others hear. */
async function written(afterCommit?: Error, fails = false) {
  const accountId = await givenAccount(database.db)
  const heard: string[] = []
  const transaction: Database['transaction'] = async (work) => {
    const answer = await database.db.transaction(work)
    if (afterCommit !== undefined) throw afterCommit
    return answer
  }
  const db = { ...database.db, transaction }
  const write = writer({ db, clock: systemClock, log: { error: (_, text) => heard.push(text) } })
  const ctx = { accountId, actor: 'key:test', requestId: randomUUID() }
  const answer = await write(ctx, { action: 'update', resource: 'check' }, () => {
    if (fails) throw new Error('It cannot be changed.')
    return Promise.resolve({ id: randomUUID(), answer: 'done', announce: () => void heard.push('announced') })
  }).catch((error: unknown) => String(error))
  return { answer, heard }
}

test('a change is announced after it was stored', async () => {
  expect(await written()).toEqual({ answer: 'done', heard: ['announced'] })
})

test('a change whose COMMIT failed is announced too, because it may be stored', async () => {
  const { answer, heard } = await written(new Error('Connection terminated unexpectedly'))
  expect([answer, heard]).toEqual(['Error: Connection terminated unexpectedly', ['announced']])
})

test('what was never ready to be stored is not announced', async () => {
  const { answer, heard } = await written(undefined, true)
  expect([answer, heard]).toEqual(['Error: It cannot be changed.', []])
})
