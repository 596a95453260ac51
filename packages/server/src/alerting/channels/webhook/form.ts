import type { FormSection } from '@vedette/checks'
import { webhookMethods } from './config.ts'

export const webhookForm: readonly FormSection[] = [
  {
    title: 'Webhook',
    fields: [
      { path: 'name', label: 'Name', kind: 'text', placeholder: 'On-call bot' },
      { path: 'url', label: 'URL', kind: 'text', placeholder: 'https://hooks.example.org/alert' },
      {
        path: 'method',
        label: 'Method',
        kind: 'select',
        options: webhookMethods.map((method) => ({ value: method, label: method })),
      },
      { path: 'headers', label: 'Headers', kind: 'keyValues' },
      { path: 'queryParameters', label: 'Query parameters', kind: 'keyValues' },
      {
        path: 'template',
        label: 'Body template',
        kind: 'template',
        help: 'A Handlebars template. If it is empty, a JSON object with every variable is sent.',
        placeholder: '{"text": "{{ALERT_TITLE}}: {{CHECK_ERROR_MESSAGE}} {{RESULT_LINK}}"}',
      },
      { path: 'webhookSecret', label: 'Signing secret', kind: 'text', help: 'Signs every delivery.' },
    ],
  },
]
