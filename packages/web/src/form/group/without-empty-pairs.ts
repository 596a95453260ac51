type Fields = Record<string, unknown>

const isFilled = (row: unknown): boolean => {
  const { key, value } = row as Fields
  return key !== '' || value !== ''
}

const filled = (rows: unknown): unknown => (Array.isArray(rows) ? rows.filter(isFilled) : rows)

/** The group without rows that were added and left empty. */
export function withoutEmptyPairs(group: Fields): Fields {
  const api = group['apiCheckDefaults'] as Fields
  return {
    ...group,
    environmentVariables: filled(group['environmentVariables']),
    apiCheckDefaults: {
      ...api,
      headers: filled(api['headers']),
      queryParameters: filled(api['queryParameters']),
    },
  }
}
