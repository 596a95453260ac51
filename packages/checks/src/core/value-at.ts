const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The value at a dotted path; list items are named by their index. `undefined` when there is none. */
export const valueAt = (whole: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, step) => (isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined), whole)

/** A copy with the value at a dotted path changed. */
export function withValueAt<T>(whole: T, path: string, value: unknown): T {
  const [step = '', ...rest] = path.split('.')
  const record: Record<string, unknown> = isRecord(whole) ? whole : {}
  return { ...record, [step]: rest.length === 0 ? value : withValueAt(record[step], rest.join('.'), value) } as T
}
