import type { ErrorBody } from '@vedette/wire'

/** An answer of the API that is not a success. `keys` are the fields a 400 names. */
export class ApiFailure extends Error {
  readonly status: number
  readonly keys: readonly string[]
  constructor(status: number, message: string, keys: readonly string[] = []) {
    super(message)
    this.status = status
    this.keys = keys
  }
}

/** Whether what a page asked for by the id in its address is not there, or the id is none. */
export const isNowhere = (error: Error | null): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 400)

export interface Page<T> {
  items: T[]
  total: number
}

/** Most that one page list answers with. */
export const mostPerPage = 100

type Query = Record<string, string | number | boolean | undefined>

/** Calls the management API with the session cookie. Throws `ApiFailure`; status 0 means no answer came. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await answerOf<T>(method, path, body)).value
}

/** A page list with its total from `content-range`. */
export async function callPage<T>(path: string, query: Query): Promise<Page<T>> {
  const { value, total } = await answerOf<T[]>('GET', withQuery(path, query))
  return { items: value, total: total ?? value.length }
}

/** All of a page list. */
export async function callAll<T>(path: string): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await callPage<T>(path, { limit: mostPerPage, page })
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}

export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(key, String(value))
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

async function answerOf<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ value: T; total: number | undefined }> {
  const response = await send(method, path, body === undefined ? undefined : JSON.stringify(body))
  if (!response.ok) throw await failureOf(response)
  const total = Number(response.headers.get('content-range')?.split('/')[1])
  // A server that goes away also breaks off answers that it began.
  const text = await response.text().catch(throwNoAnswer)
  return {
    value: (response.status === 204 ? undefined : JSON.parse(text)) as T,
    total: Number.isNaN(total) ? undefined : total,
  }
}

/** The whole of a file of the app, fetched after all else that is asked for. Throws where it did not come. */
export async function readFile(path: string): Promise<Blob> {
  const answer = await fetch(path, { priority: 'low' })
  if (!answer.ok) throw new ApiFailure(answer.status, `The server answered ${answer.status} for ${path}.`)
  return answer.blob()
}

/** The page of the app as the server has it now. */
export const readPage = async (): Promise<string> => (await fetch('/', { headers: { accept: 'text/html' } })).text()

/** Sends a JSON text with the session cookie. Resolves with any answer, whatever its status. */
export async function send(method: string, path: string, body: string | undefined): Promise<Response> {
  const sends = body !== undefined
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(sends && { 'content-type': 'application/json' }) },
    ...(sends && { body }),
  }
  return fetch(path, init).catch(throwNoAnswer)
}

function throwNoAnswer(): never {
  throw new ApiFailure(0, 'The server did not answer. Check that Vedette is running and that you are online.')
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const body: Partial<ErrorBody> = await response.json().catch(() => ({}))
  return new ApiFailure(
    response.status,
    response.status === 401 && !response.url.endsWith('/session')
      ? 'Your session has ended. Sign in and try again.'
      : (body.message ?? `The server answered ${response.status}.`),
    body.validation?.keys ?? [],
  )
}
