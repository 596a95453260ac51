/** A name and a value that are sent. `locked` marks one that holds a secret. */
interface SentPair {
  key: string
  value: string
  locked: boolean
}

/** One HTTP request as a check defines it: templates are not filled yet. */
export interface HttpExchange {
  method: string
  url: string
  followRedirects: boolean
  skipSSL: boolean
  ipFamily: 'IPv4' | 'IPv6'
  body: string
  bodyType: 'NONE' | 'JSON' | 'FORM' | 'RAW' | 'GRAPHQL'
  headers: readonly SentPair[]
  queryParameters: readonly SentPair[]
  basicAuth: { username: string; password: string } | null
  assertions: readonly { source: string }[]
}
