import { createExchangeRun } from '../core/http-exchange/run-exchange.ts'
import { createEgress } from '../net/egress/egress.ts'
import type { UrlRequest } from './request-shape.ts'

export const run = createExchangeRun<{ request: UrlRequest }>(createEgress(), ({ request }) => ({
  ...request,
  body: '',
  bodyType: 'NONE',
  headers: [],
  queryParameters: [],
  basicAuth: null,
}))
