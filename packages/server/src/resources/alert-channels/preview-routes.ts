import { alertChannelPreviewResponse, templateVariableResponse } from '@vedette/wire'
import { z } from 'zod'
import { previewAlert, templateVariablesOf } from '../../alerting/index.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { kindOf, parsedConfig } from './channel-config.ts'
import { channelPreviewWrite, secretPaths } from './schema.ts'

const tags = ['Alert channels']

/** What helps to write a channel. Nothing is stored or sent. */
export function previewRoutes(app: App, deps: ApiDeps): void {
  app.get(
    '/v1/alert-template-variables',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List the variables that templates of channels may use',
        response: { 200: z.array(templateVariableResponse) },
      },
    },
    ({ principal: { accountId } }) => templateVariablesOf(accountId, deps),
  )

  app.post(
    '/v1/alert-channels/preview',
    {
      config: { access: 'write', secretPaths },
      schema: {
        tags,
        summary: 'Show what a channel would send of a sample alert',
        description: 'Rendered as deliveries are, and neither stored nor sent.',
        body: channelPreviewWrite,
        response: { 200: alertChannelPreviewResponse },
      },
    },
    async ({ principal: { accountId }, body: { type, config, alertType } }) => {
      const kind = kindOf(type)
      const draft = parsedConfig(kind.draft, config)
      const { parts, problems } = await previewAlert(kind, { accountId, draft, alertType }, deps)
      return { parts, problems: problems.map(({ path, message }) => ({ path: `config.${path}`, message })) }
    },
  )
}
