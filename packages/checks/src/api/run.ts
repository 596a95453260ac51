import { createExchangeRun } from '../core/http-exchange/run-exchange.ts'
import { createEgress, type Egress } from '../net/egress/egress.ts'
import type { ApiRequest } from './request-shape.ts'

/** Makes the run of API checks. Its connections are opened by the given egress guard. */
export const createApiRun = (egress: Egress) =>
  createExchangeRun<{ request: ApiRequest }>(egress, ({ request }) => request)

export const run = createApiRun(createEgress())
