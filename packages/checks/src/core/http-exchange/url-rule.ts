import type { CrossFieldRule } from '@vedette/wire'

const template = /\{\{\{?[^{}]*\}?\}\}/g

/** The address must be http or https once its templates are filled, or begin with one that may hold the scheme. */
export const urlRule: CrossFieldRule<{ request: { url: string } }> = ({ request: { url } }) => {
  if (url.startsWith('{{')) return []
  const filled = url.replaceAll(template, '1')
  if (/^https?:\/\//i.test(filled) && URL.canParse(filled)) return []
  return [
    {
      path: 'request.url',
      message:
        'must be an http or https address, such as https://example.com/health, or begin with a template such as {{NAME}}',
    },
  ]
}
