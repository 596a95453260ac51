/**
 * SQL: the result is something else than a plain pass or fail at the first attempt. It has to be the condition of the index
 * `check_results_exceptions`, which holds what the index of all results lacks.
 */
export const isException = (results: string): string =>
  `(${results}.is_degraded OR ${results}.outcome = 'unknown' OR ${results}.attempts > 0)`
