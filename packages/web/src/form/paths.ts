/** Reads a dotted path. */
export function valueAt(whole: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), whole)
}

/** A copy with the value at a dotted path changed. */
export function withValueAt<T>(whole: T, path: string, value: unknown): T {
  const [step = '', ...rest] = path.split('.')
  const record: Record<string, unknown> = isRecord(whole) ? whole : {}
  return { ...record, [step]: rest.length === 0 ? value : withValueAt(record[step], rest.join('.'), value) } as T
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
