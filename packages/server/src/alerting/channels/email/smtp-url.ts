import { settings } from '@vedette/wire/configuration'
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js'

export interface SmtpServer {
  host: string
  port: number
  from: string
  options: SMTPTransport.Options
}

/**
 * Reads `smtp://user:password@host:587/?from=alerts@example.org`. `smtps:` uses TLS from the start, `smtp:` upgrades
 * when the server offers it; `?tls=required` requires the upgrade, `?tls=off` never upgrades.
 */
export function readSmtpUrl(text: string | undefined): SmtpServer | { problem: string } {
  if (text === undefined || text === '') return { problem: notSet }
  if (!URL.canParse(text)) return { problem: `${setting.name} is not a URL.` }
  const url = new URL(text)
  if (url.protocol !== 'smtps:' && url.protocol !== 'smtp:') {
    return { problem: `${setting.name} must start with smtp:// or smtps://.` }
  }
  return url.hostname === '' ? { problem: `${setting.name} names no host.` } : serverOf(url)
}

const setting = settings.smtpUrl
const notSet =
  `No mail server is set. Set ${setting.name} in the environment of the server, or ${setting.name}_FILE to a file that ` +
  `holds it, for example ${setting.example}, and start the server again.`

function serverOf(url: URL): SmtpServer {
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 465 : 587)
  const user = decodeURIComponent(url.username)
  const pass = decodeURIComponent(url.password)
  const tls = url.searchParams.get('tls')
  return {
    host,
    port,
    from: url.searchParams.get('from') ?? (user.includes('@') ? user : `vedette@${host}`),
    options: {
      host,
      port,
      secure,
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'off',
      ...(user !== '' && { auth: { user, pass } }),
    },
  }
}
