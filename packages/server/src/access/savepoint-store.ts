import type { Queryable } from '../db/database.ts'

/** Work inside a transaction that is undone alone when it throws, or when its answer says that it is not to be kept. */
export async function undoable<T>(
  client: Queryable,
  work: () => Promise<T>,
  isKept: (answer: T) => boolean = () => true,
): Promise<T> {
  await client.query('SAVEPOINT one_of_many')
  try {
    const answer = await work()
    await client.query(isKept(answer) ? 'RELEASE SAVEPOINT one_of_many' : 'ROLLBACK TO SAVEPOINT one_of_many')
    return answer
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT one_of_many')
    throw error
  }
}
