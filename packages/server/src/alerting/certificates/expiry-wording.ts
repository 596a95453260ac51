import { whenText } from '../when-text.ts'

interface CertificateFacts {
  /** The host that served it. */
  host: string
  /** Epoch milliseconds of its end. */
  notAfter: number
}

const dayMs = 86_400_000

/** Whole days until a certificate ends, negative once it has. */
export const daysRemaining = (notAfter: number, nowMs: number): number => Math.floor((notAfter - nowMs) / dayMs)

const count = (days: number): string => `${days} day${days === 1 ? '' : 's'}`
const inDays = (days: number): string => (days === 0 ? 'in less than a day' : `in ${count(days)}`)
const ago = (days: number): string => (days === 0 ? 'less than a day ago' : `${count(days)} ago`)

/** One line: the host, and how long its certificate is valid. */
export function expiryTitle({ host, notAfter }: CertificateFacts, nowMs: number): string {
  const title = `Certificate of ${host}`
  return notAfter <= nowMs ? `${title} has expired` : `${title} expires ${inDays(daysRemaining(notAfter, nowMs))}`
}

/** The same as a sentence with the date. */
export function expiryCause({ host, notAfter }: CertificateFacts, nowMs: number): string {
  const [who, when] = [`The certificate of ${host}`, whenText(notAfter)]
  if (notAfter <= nowMs) return `${who} expired ${ago(Math.floor((nowMs - notAfter) / dayMs))}, on ${when}.`
  return `${who} expires ${inDays(daysRemaining(notAfter, nowMs))}, on ${when}.`
}
