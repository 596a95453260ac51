import { guardedConnect, TargetError, troubleText } from '@vedette/checks/net'
import nodemailer from 'nodemailer'
import type { SendContext, SendOutcome } from '../channel-kind.ts'
import type { RenderedEmail } from './render.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'

/** Limit for the whole delivery, from the DNS look-up to the last answer of the mail server. */
export const emailLimitMs = 20_000

type MailContext = Omit<SendContext, 'runtime'>

export async function sendEmail(email: RenderedEmail, context: MailContext): Promise<SendOutcome> {
  const server = readSmtpUrl(context.settings.smtpUrl)
  if ('problem' in server) return { accepted: false, retryable: false, response: server.problem }
  const over = new AbortController()
  const stop = () => over.abort()
  const cancel = context.clock.after(emailLimitMs, stop)
  context.signal?.addEventListener('abort', stop, { once: true })
  try {
    return { accepted: true, ...(await hand(email, server, context, over.signal)) }
  } catch (error) {
    return failure(error, over.signal, context)
  } finally {
    cancel()
    context.signal?.removeEventListener('abort', stop)
  }
}

async function hand(
  email: RenderedEmail,
  server: SmtpServer,
  { egress }: MailContext,
  signal: AbortSignal,
): Promise<{ status?: number; response: string }> {
  const socket = await guardedConnect(server.host, server.port, egress, { signal, limitMs: emailLimitMs })
  signal.addEventListener('abort', () => socket.destroy(new Error('cancelled')), { once: true })
  const transport = nodemailer.createTransport({
    ...server.options,
    connectionTimeout: emailLimitMs,
    greetingTimeout: emailLimitMs,
    socketTimeout: emailLimitMs,
    // Gives the library an open socket; otherwise it would resolve and connect by itself.
    getSocket: (_options: object, callback: (error: Error | null, socket: object) => void) =>
      callback(null, { connection: socket }),
  })
  try {
    const { response } = await transport.sendMail({
      from: server.from,
      to: email.to,
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: email.messageId,
      ...(email.threadId !== undefined && { inReplyTo: email.threadId, references: email.threadId }),
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { ...statusOf(response), response }
  } finally {
    transport.close()
    socket.destroy()
  }
}

function statusOf(response: string): { status?: number } {
  const code = /^(\d{3})\b/.exec(response)?.[1]
  return code === undefined ? {} : { status: Number(code) }
}

function failure(error: unknown, signal: AbortSignal, { signal: stopped }: MailContext): SendOutcome {
  const failed = { accepted: false, retryable: true } as const
  if (stopped?.aborted) return { ...failed, response: 'Interrupted by a stop of the server.' }
  if (signal.aborted) return { ...failed, response: `The mail server did not take it within ${emailLimitMs / 1000} s.` }
  const { responseCode, code } = error as Error & { responseCode?: number; code?: string }
  const denied = error instanceof TargetError && error.code === 'EGRESS_DENIED'
  // 5yz is a permanent refusal of this message (RFC 5321, 4.2.1). Wrong credentials are permanent too.
  const final = denied || code === 'EAUTH' || (responseCode !== undefined && responseCode >= 500)
  return {
    accepted: false,
    retryable: !final,
    ...(responseCode && { status: responseCode }),
    response: troubleText(error),
  }
}
