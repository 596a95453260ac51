import type { Queryable } from '../db/database.ts'

/** Work inside a transaction that is undone alone when it throws. */
export async function undoable<T>(client: Queryable, work: () => Promise<T>): Promise<T> {
  await client.query('SAVEPOINT one_of_many')
  try {
    const answer = await work()
    await client.query('RELEASE SAVEPOINT one_of_many')
    return answer
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT one_of_many')
    throw error
  }
}
