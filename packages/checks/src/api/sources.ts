import { comparisons, type apiSourceNames } from '@vedette/wire'
import type { AssertionSource } from '../core/check-type.ts'
import type { ApiEvidence } from './evidence.ts'

/** The contract shows NOT_EMPTY on a status code, so emptiness is accepted beside the comparisons of numbers. */
const numeric = ['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN', 'IS_EMPTY', 'NOT_EMPTY'] as const

/** What assertions of an API check may look at. */
export const apiAssertionSources: Record<(typeof apiSourceNames)[number], AssertionSource<ApiEvidence>> = {
  STATUS_CODE: { comparisons: numeric, reads: 'value', numeric: true, read: ({ response }) => response?.status },
  JSON_BODY: {
    comparisons,
    reads: 'jsonPath',
    property: { label: 'JSONPath', placeholder: '$.status', required: true },
    read: ({ response }) => response?.body,
  },
  HEADERS: {
    comparisons,
    reads: 'value',
    property: { label: 'Header', placeholder: 'content-type', required: true },
    read({ response }, property) {
      const name = property.trim().toLowerCase()
      return response !== undefined && Object.hasOwn(response.headers, name) ? response.headers[name] : undefined
    },
  },
  TEXT_BODY: {
    comparisons,
    reads: 'regex',
    property: { label: 'Regular expression', placeholder: 'order-id: (\\d+)', required: false },
    read: ({ response }) => response?.body,
  },
  RESPONSE_TIME: {
    comparisons: numeric,
    reads: 'value',
    numeric: true,
    timed: true,
    read: ({ response }) => response?.timingPhases.total,
  },
}
