import type { AccountInvite, CreatedAccountInvite } from '@vedette/wire'
import { escapeHtml } from '@vedette/checks/template'
import { sendEmail } from '../../alerting/index.ts'
import type { ApiDeps } from '../api-deps.ts'

interface Letter extends Pick<AccountInvite, 'id' | 'email' | 'inviterEmail' | 'expiresAt'> {
  link: string
  accountName: string
}

/** Sends the link to whom it is for. The invitation holds whether or not the mail arrives. */
export async function mailInvite(
  letter: Letter,
  { outgoing, clock }: Pick<ApiDeps, 'outgoing' | 'clock'>,
): Promise<CreatedAccountInvite['mail']> {
  if (outgoing?.settings.smtpUrl === undefined) return 'not set up'
  const { settings } = outgoing
  const outcome = await sendEmail(emailOf(letter), { egress: outgoing.egress(), clock, settings })
  return outcome.accepted ? 'sent' : 'failed'
}

function emailOf({ id, email, inviterEmail, accountName, link, expiresAt }: Letter) {
  const account = oneLine(accountName)
  const sentences = [
    `${oneLine(inviterEmail)} invites you to the account ${account} of Vedette.`,
    `The link works once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC. If you do not know why you get this, do nothing.`,
  ]
  return {
    to: email,
    messageId: `<invite-${id}@vedette>`,
    subject: `Join ${account} on Vedette`,
    text: `${sentences[0]}\n\nJoin: ${link}\n\n${sentences[1]}\n`,
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
      '<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f2328;background:#ffffff">',
      `<p>${escapeHtml(sentences[0] ?? '')}</p>`,
      `<p><a href="${escapeHtml(link)}" style="color:#0550ae">Join</a></p>`,
      `<p style="color:#57606a">${escapeHtml(sentences[1] ?? '')}</p></body></html>`,
    ].join('\n'),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
