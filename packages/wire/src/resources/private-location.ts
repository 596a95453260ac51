import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** How many keys of a private location may be valid at once: the one in use and its successor. */
export const mostLocationKeys = 2

/** How long samples of the queue of a private location are kept, in days. */
export const locationSampleDays = 15

const unlikeRegion = /^(?!(us(-gov)?|ap|ca|cn|eu|sa|af|me)-(central|(north|south)?(east|west)?)-\d+)/

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Name for people.')
  .meta({ examples: ['Office Berlin'] })

const slugName = z
  .string()
  .regex(/^[a-zA-Z0-9-]{1,30}$/, { error: 'must be 1 to 30 letters, digits or hyphens' })
  .regex(unlikeRegion, { error: 'must not look like the code of a region' })
  .meta({
    description:
      'Name by which checks and results refer to it, 1 to 30 letters, digits or hyphens. Unique in the account, unlike the code of a region, and never changed. Without it, it is made from the name.',
    examples: ['office-berlin'],
  })

const icon = z
  .string()
  .regex(/^[a-z0-9-]{1,50}$/, { error: 'must be 1 to 50 lower-case letters, digits or hyphens' })
  .meta({ description: 'Sign that the web app shows beside it.', examples: ['location'] })

const proxyUrl = z
  .string()
  .max(2000)
  .refine(isProxyAddress, 'must be the http:// or https:// address of a proxy, without path and query')
  .nullable()
  .meta({
    description:
      'Proxy through which agents of the location make the HTTP requests of its API checks; null for none. It may hold user and password, and names of variables in {{ }}. Answers show ****** in place of user and password; sent back like that, the address stays as it is.',
    examples: ['http://proxy.example:3128'],
  })

/** Whether a text can be the address of a proxy. What stands in templates is known only at a run. */
function isProxyAddress(text: string): boolean {
  if (/^\{\{[^{}]+\}\}/.test(text)) return true
  const plain = text.replaceAll(/\{\{\{?[^{}]+\}\}\}?/g, '1')
  if (!URL.canParse(plain)) return false
  const { protocol, pathname, search, hash } = new URL(plain)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === ''
}

/** The body of a create. */
export const privateLocationCreate = z
  .strictObject({ name, slugName: slugName.optional(), icon: icon.optional(), proxyUrl: proxyUrl.optional() })
  .meta({ examples: [{ name: 'Office Berlin', slugName: 'office-berlin', icon: 'location' }] })
export type PrivateLocationCreate = z.infer<typeof privateLocationCreate>

/** The body of an update: fields that are not sent stay. The slug never changes. */
export const privateLocationUpdate = z
  .strictObject({ name, icon: icon.optional(), proxyUrl: proxyUrl.optional() })
  .meta({ examples: [{ name: 'Office Hamburg', icon: 'location' }] })
export type PrivateLocationUpdate = z.infer<typeof privateLocationUpdate>

/** Makes a slug of a name: `Büro Köln` becomes `buro-koln`. Undefined when the name has too little for one. */
export function slugFromName(text: string): string | undefined {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '')
  return slugName.safeParse(slug).success ? slug : undefined
}

/** A key with which agents of a private location sign in. */
export const privateLocationKey = z
  .object({
    id: z.string(),
    maskedKey: z.string().describe('The last characters of the key.'),
    rawKey: z.string().optional().describe('The key itself: only in the answer that creates it, and never again.'),
    created_at: dateTime,
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'PrivateLocationKey' })
export type PrivateLocationKey = z.infer<typeof privateLocationKey>

const shown = {
  id: z.string(),
  name: z.string(),
  slugName: z.string(),
  icon: z.string(),
  proxyUrl: z.string().nullable().describe('User and password are shown as ******.'),
  keys: z.array(privateLocationKey).describe(`The keys that are valid now, at most ${mostLocationKeys}.`),
  created_at: dateTime,
  updated_at: dateTime.nullable(),
}

/** A private location as writes answer it. */
export const privateLocationBase = z.object(shown).meta({ id: 'PrivateLocationBase' })
export type PrivateLocationBase = z.infer<typeof privateLocationBase>

/** Agents of a private location that run the same version. */
const runningAgents = z.object({
  version: z.string(),
  isOutdated: z.boolean().describe('They speak an older version of the agent protocol: update them.'),
  count: z.int(),
  agents: z.array(
    z.object({
      id: z.string(),
      lastSeenAt: dateTime,
      capabilities: z.array(z.string()).describe('What its machine can do and others may not, such as `ping`.'),
      running: z.int().nullable().describe('Runs under way; null until it says so, within ten seconds.'),
      slots: z.int().nullable().describe('How many runs it takes at once; null when it is not known.'),
    }),
  ),
})
export type RunningAgents = z.infer<typeof runningAgents>

/** A private location with what is known of its agents. */
export const privateLocationResponse = z
  .object({
    ...shown,
    lastSeen: dateTime.nullable().describe('When one of its agents last called; null when none has.'),
    available: z.boolean().describe('An agent runs here now, so that checks run.'),
    agentCount: z.int().describe('Agents that called within the last minute or two.'),
    minAgentVersion: z.string().nullable().describe('The lowest version among these agents; null when there is none.'),
    runningAgents: z
      .array(runningAgents)
      .optional()
      .describe('These agents by their version, only when `versions=true` asks for them.'),
  })
  .meta({ id: 'PrivateLocation' })
export type PrivateLocation = z.infer<typeof privateLocationResponse>

/** The queue of a private location over time: three lists of the same length. */
export const privateLocationMetrics = z
  .object({
    timestamps: z.array(dateTime).describe('Full minutes, the earliest first.'),
    queueSize: z.array(z.int()).describe('Runs that waited for an agent at that time.'),
    oldestScheduledCheckRun: z
      .array(z.int())
      .describe('Seconds that the oldest of them had waited; 0 when none waited.'),
  })
  .meta({ id: 'PrivateLocationMetrics' })
export type PrivateLocationMetrics = z.infer<typeof privateLocationMetrics>

/** What runs at a private location: a check, or a group whose location it is. */
export const locationUse = z
  .object({ kind: z.enum(['check', 'check group']), id: z.string(), name: z.string() })
  .meta({ id: 'PrivateLocationUse' })
export type LocationUse = z.infer<typeof locationUse>
