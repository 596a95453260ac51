/** Milliseconds of each part of an exchange; redirects are added up. `wait` is the time from start to the first look-up. */
export interface TimingPhases {
  wait: number
  dns: number
  tcp: number
  tls: number
  firstByte: number
  download: number
  total: number
}

/** What the TLS handshake of the last hop showed. Dates are epoch milliseconds. */
interface TlsFacts {
  protocol: string
  cipher: string
  authorized: boolean
  authorizationError: string | null
  subject: string
  issuer: string
  notBefore: number
  notAfter: number
  fingerprint256: string
}

/** The request as it was sent, after templates. `url` is that of the first hop. */
export interface ApiRequestSent {
  method: string
  url: string
  headers: Record<string, string>
  params: Record<string, string>
  data: string
}

/** The answer, from the response head on. Header names are lower-case; repeated ones are joined with `, `, set-cookie with a line feed. */
export interface ApiResponseSeen {
  status: number
  statusText: string
  httpVersion: string
  headers: Record<string, string>
  /** Decoded text; a notice in place of binary content. */
  body: string
  /** Bytes of the body after decompression, as far as it was read. */
  bodyBytes: number
  truncated: boolean
  /** Address of the page after redirects. */
  href: string
  redirects: { status: number; location: string }[]
  remoteAddress: string
  ipFamily: 'IPv4' | 'IPv6'
  /** Milliseconds from the start to the end of each step. */
  timings: Record<string, number>
  timingPhases: TimingPhases
  tls?: TlsFacts
}

/** What a run of an API check saw. `response` is absent when no response head arrived. */
export interface ApiEvidence {
  request: ApiRequestSent
  response?: ApiResponseSeen
}
