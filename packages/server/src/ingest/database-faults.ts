import { ZodError } from 'zod'
import { isUnanswered } from '../db/silence.ts'

/** SQLSTATE classes of errors in the values of a statement, not in the database. */
const rowFaultClasses = new Set(['21', '22', '23', '54'])

/** SQLSTATE classes of a database in trouble: connections, locks, space, an operator, its host; and of a standby. */
const databaseClasses = new Set(['08', '25', '40', '53', '55', '57', '58'])

const sqlStateOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** True when the same row would fail again: no partition for it, or a value out of range or malformed. */
export const isRowFault = (error: unknown): boolean =>
  rowFaultClasses.has(sqlStateOf(error).slice(0, 2)) ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ZodError

/** True when it is the database that cannot store now, whatever the row. Some lost connections have no code. */
export const isOfDatabase = (error: unknown): boolean =>
  databaseClasses.has(sqlStateOf(error).slice(0, 2)) || isUnanswered(error) || /^E[A-Z]/.test(sqlStateOf(error))

/**
 * True for errors of the database that one check alone can cause: somebody holds its row, or a statement about it takes
 * too long. A deadlock, a lock not available, a canceled statement.
 */
export const mayBeOfOneCheck = (error: unknown): boolean =>
  isTransient(error) || sqlStateOf(error) === '55P03' || sqlStateOf(error) === '57014'

/** True when the same transaction may succeed at once: a deadlock, a serialization failure. */
export const isTransient = (error: unknown): boolean => sqlStateOf(error).startsWith('40')
