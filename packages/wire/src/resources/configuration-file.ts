import { z } from 'zod'

/** What files hold, in the order in which it is written: what is named comes before what names it. */
export const fileKinds = [
  'account',
  'variable',
  'snippet',
  'privateLocation',
  'alertChannel',
  'checkGroup',
  'check',
] as const
export type FileKindName = (typeof fileKinds)[number]

const entries = (most: number, what: string) =>
  z.array(z.record(z.string(), z.unknown())).max(most).optional().describe(what)

/** The configuration of an account. References are names, secrets are `{ $env: NAME }`, defaults are left out. */
export const configurationDocument = z
  .strictObject({
    account: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('`alertSettings` and `defaultLocations`. What is left out stays. Changing it needs the role admin.'),
    variables: entries(2000, 'Variables, known by `key`.'),
    snippets: entries(2000, 'Snippets, known by `name`.'),
    privateLocations: entries(500, 'Private locations, known by `slugName`.'),
    alertChannels: entries(500, 'Alert channels, known by `name` of their config, else by its `address`.'),
    checkGroups: entries(1000, 'Check groups, known by `name`.'),
    checks: entries(2000, 'Checks of all types, known by `name`.'),
  })
  .meta({ id: 'ConfigurationDocument' })
export type ConfigurationDocument = z.infer<typeof configurationDocument>

/** Most bytes that one import may send; JSON and YAML alike. */
export const mostImportedBytes = 2 * 1024 * 1024

/** How many resources one import may make, change and delete: it is one transaction, for which others wait. */
export const mostImported = 500

/** The body of an import. */
export const configurationImport = configurationDocument
  .extend({
    secrets: z
      .record(z.string().max(255), z.string().max(65_536))
      .optional()
      .describe('Values of the references `{ $env: NAME }`. One that is missing leaves the stored secret.'),
  })
  .meta({
    id: 'ConfigurationImport',
    examples: [{ checks: [{ name: 'Front page', type: 'URL', request: { url: 'https://shop.example.com' } }] }],
  })
export type ConfigurationImport = z.infer<typeof configurationImport>

export const plannedActions = ['create', 'change', 'delete', 'unchanged'] as const

const plannedResource = z.object({
  kind: z.enum(fileKinds),
  name: z.string(),
  action: z.enum(plannedActions),
  changes: z
    .array(
      z.object({
        path: z.string().describe('Dotted path in the file.'),
        before: z.unknown().describe('With defaults; null: there is none. Secrets are masked.'),
        after: z.unknown().describe('With defaults; null: there is none. Secrets are masked.'),
      }),
    )
    .describe('Fields that differ, of a change.'),
})
export type PlannedResource = z.infer<typeof plannedResource>

/** What an import did, or would do. */
export const configurationPlan = z
  .object({
    plan: z.array(plannedResource).describe('In the order in which it is applied.'),
    applied: z.boolean().describe('false when it was only asked for.'),
  })
  .meta({ id: 'ConfigurationPlan' })
export type ConfigurationPlan = z.infer<typeof configurationPlan>
