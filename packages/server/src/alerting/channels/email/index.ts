import { z } from 'zod'
import type { ChannelConfig } from '../channel-kind.ts'
import { defineChannel } from '../define-channel.ts'
import { renderEmail, type RenderedEmail } from './render.ts'
import { sendEmail } from './send.ts'
import { readSmtpUrl } from './smtp-url.ts'

export { sendEmail }

interface EmailConfig extends ChannelConfig {
  address: string
}

const emailConfig = z.strictObject({ address: z.email().max(254).describe('Who is notified.') })

const emailDraft = z.strictObject({ address: z.string().max(254).optional() })

/** A message by SMTP, as text and HTML. */
export const emailChannel = defineChannel<EmailConfig, RenderedEmail>({
  type: 'EMAIL',
  title: 'e-mail',
  form: [
    {
      title: 'E-mail',
      fields: [{ path: 'address', label: 'Address', kind: 'text', placeholder: 'on-call@example.org' }],
    },
  ],
  defaults: { address: '' },
  missing: ({ smtpUrl }) => {
    const server = readSmtpUrl(smtpUrl)
    return 'problem' in server ? server.problem : undefined
  },
  config: emailConfig,
  draft: emailDraft,
  shownOnChecks: { key: 'email', fields: ['address'] },
  complete: (sent) => emailConfig.parse(sent),
  problems: () => [],
  mapSecrets: (config) => config,
  secretPaths: [],
  preview: (_, message) => {
    const { subject, text } = renderEmail(message, '')
    return {
      parts: [
        { title: 'Subject', text: subject },
        { title: 'Text', text },
      ],
      problems: [],
    }
  },
  render: (message, { address }) => renderEmail(message, address),
  send: sendEmail,
})
