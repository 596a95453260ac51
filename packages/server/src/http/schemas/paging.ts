import type { FastifyReply } from 'fastify'
import { integerParam } from './query.ts'

/** Query fields of every page list. Source: contract, "List conventions". */
export const pageQuery = {
  limit: integerParam(1, 100).default(10).meta({ default: 10, description: 'Entries per page.' }),
  page: integerParam(1, 1_000_000).default(1).meta({ default: 1, description: 'Page, from 1.' }),
}

export const limitQuery = { limit: pageQuery.limit }

export interface Page {
  limit: number
  page: number
}

export const offsetOf = ({ limit, page }: Page): number => (page - 1) * limit

/** States the range of the entries in an answer and their total. */
export function setContentRange(reply: FastifyReply, page: Page, length: number, total: number): void {
  const from = offsetOf(page)
  reply.header('content-range', length === 0 ? `*/${total}` : `${from}-${from + length - 1}/${total}`)
}
