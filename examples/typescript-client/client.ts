import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './vedette.d.ts'

/** The whole management API, typed by the document of the server. */
export type Vedette = Client<paths>

/** A client of the server at the address, which signs in with the API key. */
export const connect = (url: string, apiKey: string): Vedette =>
  createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${apiKey}` } })

interface Answer<Data> {
  data?: Data
  error?: { message: string }
  response: Response
}

/** The data of an answer. Throws what the server says is wrong. */
export function dataOf<Data>(answer: Answer<Data>): Data {
  if (answer.data === undefined) throw failure(answer)
  return answer.data
}

/** For answers without a body. Throws what the server says is wrong. */
export function done(answer: Answer<never>): void {
  if (!answer.response.ok) throw failure(answer)
}

const failure = ({ error, response }: Answer<unknown>): Error =>
  new Error(`${response.url} answered ${response.status}: ${error?.message ?? response.statusText}`)

/** How many there are in all, as the header of a list says it. */
export function totalOf({ response }: { response: Response }): number {
  const range = response.headers.get('content-range') ?? ''
  const total = /^(?:\*|\d+-\d+)\/(\d+)$/.exec(range)?.[1]
  if (total === undefined) throw new Error(`${response.url} has no total in its content-range, got "${range}"`)
  return Number(total)
}
