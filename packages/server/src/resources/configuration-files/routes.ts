import { configurationDocument, configurationImport, configurationPlan, mostImportedBytes, roles } from '@vedette/wire'
import { parse, stringify } from 'yaml'
import { z } from 'zod'
import { ApiError, invalidField } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { booleanParam } from '../../http/schemas/query.ts'
import { unstorableText } from '../../http/schemas/validation.ts'
import type { ApiDeps } from '../api-deps.ts'
import { exportConfiguration } from './export-configuration.ts'
import { importConfiguration } from './import-configuration.ts'

const tags = ['Configuration as files']
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml']
const bodyLimit = mostImportedBytes

export function configurationFileRoutes(app: App, deps: ApiDeps): void {
  // In a scope of their own: no other route takes YAML.
  void app.register(async (scope) => {
    scope.addContentTypeParser(yamlTypes, { parseAs: 'string', bodyLimit }, async (_: unknown, text: string | Buffer) =>
      fromYaml(String(text)),
    )
    exportRoute(scope, deps)
    importRoute(scope, deps)
  })
}

function exportRoute(app: App, deps: ApiDeps): void {
  app.get(
    '/v1/export',
    {
      config: { access: 'read', errors: [409] },
      schema: {
        tags,
        summary: 'Export the configuration of the account',
        description:
          'Settings, variables, snippets, private locations, alert channels, check groups and checks, as JSON or YAML: by name, without defaults, with references `{ $env: NAME }` in place of secrets. 409 when two of a kind have one name.',
        querystring: z.strictObject({
          format: z.enum(['json', 'yaml']).default('json').meta({ default: 'json', description: 'How it is written.' }),
        }),
        response: {
          200: {
            description: 'The configuration.',
            content: {
              'application/json': { schema: configurationDocument },
              'application/yaml': { schema: z.string() },
            },
          },
        },
      },
    },
    async ({ principal, query }, reply) => {
      const document = await exportConfiguration(deps, principal.accountId)
      if (query.format === 'json') return document
      const text = stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
      return reply.type('application/yaml; charset=utf-8').serializer(String).send(text)
    },
  )
}

const flag = (description: string) => booleanParam().default(false).meta({ default: false, description })

function importRoute(app: App, deps: ApiDeps): void {
  const apply = importConfiguration(deps)
  app.post(
    '/v1/import',
    {
      bodyLimit,
      config: { access: 'write', secretPaths: ['secrets'] },
      schema: {
        tags,
        summary: 'Bring the account to a configuration',
        description:
          'Takes what an export answers, as JSON or YAML. Resources are known by their name: those of another name are created. All or nothing: 400 naming every problem, and then nothing is changed: each line of the message is one, and the key at its place in `validation` says where it is. What is as it should be is not touched. One import may write 500 resources; send more in parts.',
        querystring: z.strictObject({
          dryRun: flag('Answer the plan and change nothing.'),
          delete: flag('Delete what is not in the sections that are sent.'),
        }),
        body: configurationImport,
        response: { 200: configurationPlan },
      },
    },
    (request) =>
      apply(contextOf(request), request.body, {
        dryRun: request.query.dryRun,
        remove: request.query.delete,
        mayChangeAccount: roles.indexOf(request.principal.role) >= roles.indexOf('admin'),
      }),
  )
}

function fromYaml(text: string): unknown {
  if (text.trim() === '') return {}
  const value = parsedYaml(text)
  const path = unstorableText(value)
  if (path !== undefined) throw invalidField(path, 'holds a character that text cannot hold')
  return value
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text, { schema: 'core' }) as unknown
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new ApiError(400, `The body is not valid YAML: ${line.slice(0, 200)}`)
  }
}
