/** The place of an entry in the list: when it began, and its id. */
export interface Place {
  at: Date
  id: string
}

export const cursorOf = ({ at, id }: Place): string => `${at.getTime()}.${id}`

/** Undefined for a text that is no cursor. */
export function placeOf(cursor: string): Place | undefined {
  const [, ms, id] = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? []
  return ms === undefined || id === undefined ? undefined : { at: new Date(Number(ms)), id }
}
