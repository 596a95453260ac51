import type { ResultRow } from './result-row.ts'

/** Where the content of a file of a result is read. */
export const assetUrl = (baseUrl: string, { check_id, id }: Pick<ResultRow, 'check_id' | 'id'>, name: string): string =>
  `${baseUrl}/v1/check-results/${check_id}/${id}/assets/${name}`
