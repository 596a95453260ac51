import { z } from 'zod'
import { onlyInAnswers } from './only-in-answers.ts'
import { apiSourceNames, assertionSchema, comparisons, type Assertion } from '../assertion.ts'
import { commonCheckFields } from '../check.ts'
import { locations, runtimeIds } from '../enums.ts'
import {
  basicAuthSchema,
  keyValueSchema,
  storedEnvironmentVariablesSchema,
  storedKeyValueSchema,
  variablesSchema,
  type KeyValue,
} from '../key-value.ts'
import {
  alertSettingsSchema,
  completeAlertSettingsSchema,
  completeRetryStrategySchema,
  retryStrategySchema,
} from '../settings.ts'

/** Requests of API checks: what a group adds to those of its checks. */
export interface ApiCheckDefaults {
  /** Value of the variable `GROUP_BASE_URL`. */
  url: string
  headers: KeyValue[]
  queryParameters: KeyValue[]
  assertions: Assertion[]
  /** null: none. */
  basicAuth: { username: string; password: string } | null
}

const apiCheckDefaults = z.strictObject({
  url: z.string().max(2048).nullable().optional().describe('Checks use it as `{{GROUP_BASE_URL}}`.'),
  headers: z.array(keyValueSchema).max(200).optional().describe('A header of the check with the same name wins.'),
  queryParameters: z.array(keyValueSchema).max(200).optional().describe('One of the check with the same name wins.'),
  assertions: z.array(assertionSchema(apiSourceNames)).max(200).optional().describe('Added to those of each check.'),
  basicAuth: basicAuthSchema.nullable().optional().describe('Of checks that have none themselves.'),
})

const script = z.string().max(1_000_000).nullable()
const snippetId = z.int().positive().nullable()

const fields = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .meta({ description: 'Name of the group.', examples: ['Shop'] }),
  activated: z.boolean().describe('Whether the checks of the group run. A check that is deactivated itself does not.'),
  muted: z.boolean().describe('Mutes all its checks. They run on.'),
  tags: commonCheckFields.tags.describe('Its checks have them besides their own.'),
  locations: z.array(z.enum(locations)).describe('Where its checks run. Without any, each runs at its own.'),
  privateLocations: z
    .array(z.string().min(1))
    .nullable()
    .describe(
      'Private locations where its checks run. With any location of either kind, those of the checks do not count.',
    ),
  concurrency: z.int().min(1).max(1000).describe('How many of its checks run at once when the group is triggered.'),
  apiCheckDefaults: apiCheckDefaults.describe('What is added to the requests of its API checks.'),
  browserCheckDefaults: z.string().max(1_000_000).describe('Script that a new browser check of the group begins with.'),
  environmentVariables: variablesSchema(200).describe('Variables of its checks. They win over those of the account.'),
  alertSettings: alertSettingsSchema.nullable().describe('When alerts of its checks are sent.'),
  alertChannelSubscriptions: commonCheckFields.alertChannelSubscriptions.describe(
    'Alert channels that hear of its checks besides those of each check, if the group has alert settings or uses those of the account.',
  ),
  setupSnippetId: snippetId.describe('Snippet run before the request of its API checks.'),
  tearDownSnippetId: snippetId.describe('Snippet run after the request of its API checks.'),
  localSetupScript: script.describe('Code run before the request of its API checks.'),
  localTearDownScript: script.describe('Code run after the request of its API checks.'),
  runtimeId: z.enum(runtimeIds).nullable().describe('Runtime of its checks that name none.'),
  useGlobalAlertSettings: z
    .boolean()
    .nullable()
    .describe('true: its checks have the alert settings of the account; else those of the group, if it has some.'),
  runParallel: z
    .boolean()
    .nullable()
    .describe('Whether its checks run in all locations at once; null: as each check says.'),
  doubleCheck: z.boolean().describe('Deprecated. Retries failed runs of its checks that set nothing themselves.'),
  retryStrategy: z
    .union([retryStrategySchema, z.literal('FALLBACK')])
    .describe('How failed runs of its checks are retried; FALLBACK: as each check says.'),
} as const

// Sent back in a body they are accepted and ignored.
const responseOnly = { id: onlyInAnswers, created_at: onlyInAnswers, updated_at: onlyInAnswers }

const { name, ...optional } = z.strictObject(fields).partial().shape
const examples = [{ name: 'Shop', tags: ['shop'], concurrency: 3 }]

/** Body of a create. Source: contract, "Check group". */
export const checkGroupCreate = z.strictObject({ ...responseOnly, ...optional, name: fields.name }).meta({ examples })
/** Body of an update: what is not sent stays. */
export const checkGroupUpdate = z.strictObject({ ...responseOnly, ...optional, name }).meta({ examples })
export type CheckGroupWrite = z.infer<typeof checkGroupUpdate>

const storedAssertion = z.object({
  source: z.string(),
  comparison: z.enum(comparisons),
  property: z.string(),
  target: z.string(),
  regex: z.string().nullable(),
})

/** A group as the API returns it. */
export const checkGroupResponse = z
  .object({
    id: z.int(),
    name: z.string(),
    activated: z.boolean(),
    muted: z.boolean(),
    tags: z.array(z.string()),
    locations: z.array(z.enum(locations)),
    privateLocations: z.array(z.string()).nullable(),
    concurrency: z.int(),
    apiCheckDefaults: z.object({
      url: z.string(),
      headers: z.array(storedKeyValueSchema),
      queryParameters: z.array(storedKeyValueSchema),
      assertions: z.array(storedAssertion),
      basicAuth: z.object({ username: z.string(), password: z.string() }).nullable(),
    }),
    browserCheckDefaults: z.string(),
    environmentVariables: storedEnvironmentVariablesSchema,
    useGlobalAlertSettings: z.boolean().nullable(),
    alertSettings: completeAlertSettingsSchema.nullable(),
    alertChannelSubscriptions: commonCheckFields.alertChannelSubscriptions,
    setupSnippetId: z.int().nullable(),
    tearDownSnippetId: z.int().nullable(),
    localSetupScript: z.string().nullable(),
    localTearDownScript: z.string().nullable(),
    runtimeId: z.enum(runtimeIds).nullable(),
    doubleCheck: z.boolean(),
    runParallel: z.boolean().nullable(),
    retryStrategy: z.union([completeRetryStrategySchema, z.literal('FALLBACK')]),
    created_at: z.string().describe('ISO 8601 in UTC with milliseconds.'),
    updated_at: z.string().nullable().describe('ISO 8601 in UTC with milliseconds.'),
  })
  .meta({ id: 'CheckGroup' })
export type CheckGroup = z.infer<typeof checkGroupResponse>

/** The fields that make a group, complete. Who it notifies is kept apart from them. */
export type GroupFields = Omit<CheckGroup, 'id' | 'alertChannelSubscriptions' | 'created_at' | 'updated_at'>

const ofVersion = {
  1: { doubleCheck: true, useGlobalAlertSettings: true, runParallel: false },
  2: { doubleCheck: false, useGlobalAlertSettings: null, runParallel: null },
} as const

/**
 * A new group before anything was sent. Groups of version 1 override settings of their checks from the start, those of
 * version 2 only what they are told to.
 */
export const newCheckGroup = (version: 1 | 2): GroupFields => ({
  name: '',
  activated: true,
  muted: false,
  tags: [],
  locations: [],
  privateLocations: null,
  concurrency: 3,
  apiCheckDefaults: { url: '', headers: [], queryParameters: [], assertions: [], basicAuth: null },
  browserCheckDefaults: '',
  environmentVariables: null,
  alertSettings: null,
  setupSnippetId: null,
  tearDownSnippetId: null,
  localSetupScript: null,
  localTearDownScript: null,
  runtimeId: null,
  retryStrategy: 'FALLBACK',
  ...ofVersion[version],
})
