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
  if (text === undefined || text === '') {
    return {
      problem: 'No mail server is set. Set VEDETTE_SMTP_URL, for example smtp://user:password@mail.example.org:587.',
    }
  }
  if (!URL.canParse(text)) return { problem: 'VEDETTE_SMTP_URL is not a URL.' }
  const url = new URL(text)
  if (url.protocol !== 'smtps:' && url.protocol !== 'smtp:') {
    return { problem: 'VEDETTE_SMTP_URL must start with smtp:// or smtps://.' }
  }
  return url.hostname === '' ? { problem: 'VEDETTE_SMTP_URL names no host.' } : serverOf(url)
}

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
