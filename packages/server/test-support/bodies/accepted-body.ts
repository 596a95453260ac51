import type { Json, Send } from './write-routes.ts'

const mostRepairs = 25

export interface Accepted {
  body: unknown
  status: number
  json: Json
}

/** The fields that an answer says are wrong. */
export const fieldsOf = (json: Json): string[] => (json['validation'] as { keys?: string[] } | undefined)?.keys ?? []

/**
 * Sends the body, and while it is refused takes away what the answer names, then puts what is valid in its place: first
 * of the field, then of the whole body. An answer that names the wrong field does not get far.
 */
export async function sendUntilAccepted(
  send: (body: unknown) => ReturnType<Send>,
  given: unknown,
  valid: Json,
): Promise<Accepted> {
  let body = given
  const named: string[] = []
  for (;;) {
    const { status, json } = await send(body)
    const [field] = fieldsOf(json)
    if (status !== 400 || field === undefined || named.length === mostRepairs) return { body, status, json }
    named.push(field)
    body = repaired(body, { field, times: named.filter((one) => one === field).length, valid })
  }
}

function repaired(body: unknown, { field, times, valid }: { field: string; times: number; valid: Json }): unknown {
  const path = field.split('.')
  if (times === 1) return without(body, path)
  return times === 2 ? withValid(body, path[0] ?? '', valid) : valid
}

/** The body without the member at the path; of a list, without the whole list. */
function without(body: unknown, [step = '', ...rest]: string[]): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const held = (body as Json)[step]
  const inner = rest.length > 0 && typeof held === 'object' && held !== null && !Array.isArray(held)
  const entries = Object.entries(body).filter(([name]) => name !== step)
  return Object.fromEntries(inner ? [...entries, [step, without(held, rest)]] : entries)
}

function withValid(body: unknown, top: string, valid: Json): unknown {
  const entries = Object.entries(body as Json).filter(([name]) => name !== top)
  return Object.fromEntries(top in valid ? [...entries, [top, valid[top]]] : entries)
}
