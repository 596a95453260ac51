import {
  checkTypeOf,
  checkTypes,
  completeDefinition,
  createSchema,
  defaultsOf,
  eventTokenOf,
  secretsOf,
  updateSchema,
  valueAt,
  withValueAt,
  type AnyCheckType,
} from '@vedette/checks'
import { responseOnlyCheckFields } from '@vedette/wire'
import { z } from 'zod'
import { ApiError, invalid, invalidField } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import {
  answersOf,
  createCheck,
  deleteCheck,
  listChecks,
  unsealDefinition,
  updateCheck,
  type StoredCheck,
} from '../../checks/for-verbs.ts'
import type { Entry, FileKind, Held, NamedIds } from '../file-kind.ts'
import { inOrder, shortened } from '../shortened.ts'
import {
  apiFieldOf,
  filePathOf,
  idsOf,
  namedFields,
  namesOf,
  refuseApiFields,
  shortNamed,
  type References,
} from './named-references.ts'
import { ifValid, parsed, textAt } from './parsed.ts'

const named = z.object(namedFields)

// Making a schema takes longer than all that is done with it here.
const creates = new Map(checkTypes.map((type) => [type.type, createSchema(type)]))
const createOf = (type: AnyCheckType) => creates.get(type.type) ?? createSchema(type)
const referring = Object.values(apiFieldOf)

function typeOf({ type }: Entry): AnyCheckType {
  const known = typeof type === 'string' ? checkTypeOf(type) : undefined
  if (known) return known
  const got = type === undefined ? '' : `, got ${(JSON.stringify(type) ?? '').slice(0, 100)}`
  throw invalidField('type', `must be one of ${checkTypes.map((one) => one.type).join(', ')}${got}`)
}

const without = (entry: Entry, fields: readonly string[]): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([field]) => !fields.includes(field)))

const ownFields = (entry: Entry): Entry => without(entry, ['type', ...Object.keys(namedFields)])

/** References of fields that the type does not have are refused by its schema. */
const standIns = ({ group, setupSnippet, tearDownSnippet }: z.infer<typeof named>): Entry => ({
  ...(group && { groupId: 1 }),
  ...(setupSnippet && { setupSnippetId: 1 }),
  ...(tearDownSnippet && { tearDownSnippetId: 1 }),
})

/** Tokens of events are assigned by the server. */
function withoutToken({ mode }: AnyCheckType, entry: Entry): Entry {
  if (mode.kind !== 'passive') return entry
  const steps = mode.events.tokenPath.split('.')
  const parent = steps.slice(0, -1).join('.')
  return withValueAt(entry, parent, without(valueAt(entry, parent) as Entry, steps.slice(-1)))
}

/** The definition of an own part: an offset that is not in the file is assigned, and tokens are. */
const completeOf =
  (type: AnyCheckType) =>
  (own: Entry): Entry => {
    const sent = parsed(createOf(type), own, type.secretPaths)
    const whole = completeDefinition(type, sent, '', '')
    const assigned = sent['frequencyOffset'] === undefined ? ['frequencyOffset'] : []
    return withoutToken(type, without(whole, [...referring, ...assigned]))
  }

const shortOf = (type: AnyCheckType, whole: Entry): Entry => ({
  type: type.type,
  ...shortened(whole, ifValid(completeOf(type)), without(defaultsOf(type), Object.keys(type.fields))),
})

const isTokenSent = (type: AnyCheckType, own: Entry): boolean => (eventTokenOf(type, own) ?? '') !== ''

export function checkKind(deps: ApiDeps): FileKind {
  const [create, update, remove] = [createCheck(deps), updateCheck(deps), deleteCheck(deps)]
  return {
    kind: 'check',
    section: 'checks',
    title: 'check',
    nameField: 'name',
    nameOf: (entry) => textAt(entry, 'name'),
    read: ({ client, account, at, names }) => readChecks(deps, client, { account, at, names }),
    canonical,
    secretPaths: (entry) =>
      [...secretsOf(typeOf(entry), entry)].filter(([, value]) => value !== '').map(([path]) => path),
    requireNamed: (entry, names) => idsOf(parsed(named, entry), names),
    async create(ctx, entry, names) {
      const type = typeOf(entry)
      const ids = without(idsOf(parsed(named, entry), names), missingIn(type))
      const sent = parsed(createOf(type), { ...ownFields(entry), ...ids }, type.secretPaths)
      const { check } = await create(ctx, { type, sent, autoAssignAlerts: false })
      // Channels that subscribe themselves to new checks did so: the file says which ones hear of it.
      const subscribed = sent['alertChannelSubscriptions']
      const isMore = (check['alertChannelSubscriptions'] as unknown[]).length > (subscribed as unknown[]).length
      if (isMore) await update(ctx, { id: check.id, type, sent: { alertChannelSubscriptions: subscribed } })
      return check.id
    },
    change(ctx, { held, entry, fields }, names) {
      const type = typeOf(entry)
      if (held.entry['type'] !== type.type)
        throw invalidField(
          'type',
          `cannot be changed: the check is of type ${String(held.entry['type'])}; delete it first`,
        )
      const whole = { ...completeOf(type)(ownFields(entry)), ...idsOf(parsed(named, entry), names) }
      const changed = new Set([...fields].map((field) => apiFieldOf[field] ?? field))
      const some = Object.fromEntries(Object.entries(whole).filter(([field]) => changed.has(field)))
      return update(ctx, { id: String(held.id), type, sent: parsed(updateSchema(type), some, type.secretPaths) })
    },
    remove: (ctx, { id }) => remove(ctx, String(id)),
  }
}

/** Fields for references that checks of the type do not have. */
const missingIn = (type: AnyCheckType): string[] => {
  const defaults = defaultsOf(type)
  return referring.filter((field) => !Object.hasOwn(defaults, field))
}

/** Problems with references name the field of the file. */
function inFileWords(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalid(error.problems.map(({ path, message }) => ({ path: filePathOf(path), message })))
  }
}

function canonical(entry: Entry, held: Held | undefined): Entry {
  const type = typeOf(entry)
  refuseApiFields(entry)
  const references = parsed(named, entry)
  const own = ownFields(entry)
  if (type.mode.kind === 'passive' && isTokenSent(type, own))
    throw invalidField(type.mode.events.tokenPath, 'is assigned when the check is made and never stands in files')
  inFileWords(() => parsed(createOf(type), { ...own, ...standIns(references) }, type.secretPaths))
  const offset = held?.entry['frequencyOffset']
  const kept = own['frequencyOffset'] === undefined && offset !== undefined ? { frequencyOffset: offset } : {}
  const whole = completeOf(type)({ ...own, ...kept })
  return inOrder({ ...shortOf(type, whole), ...shortNamed(references) }) as Entry
}

async function readChecks(
  { vault }: ApiDeps,
  client: Parameters<FileKind['read']>[0]['client'],
  { account, at, names }: { account: string; at: Date; names: NamedIds },
): Promise<Held[]> {
  const filter = { tags: [], checkType: undefined, search: undefined, url: undefined, state: undefined, now: at }
  const { checks } = await listChecks(client, { account, filter }, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  const answers = await answersOf(client, checks, { account, at })
  const held: Held[] = []
  for (const [index, stored] of checks.entries()) {
    // Shortening a thousand checks takes seconds: others get their turn in between.
    if (index % 20 === 19) await new Promise((resolve) => setImmediate(resolve))
    const answer = answers[index]
    const type = checkTypeOf(stored.type)
    if (!answer || !type) continue
    const opened = unsealDefinition(vault, { account, checkId: stored.id }, type, stored)
    const secrets = [...secretsOf(type, opened)].filter(([, value]) => value !== '')
    const entry = { ...shortOf(type, configured(type, stored, answer)), ...namesOf(answer as References, names) }
    held.push({
      id: stored.id,
      name: String(answer['name']),
      entry: inOrder(entry) as Entry,
      secrets: new Map(secrets),
    })
  }
  return held
}

/** What somebody chose: no assigned offset, no token, and no mute that ends by itself. */
function configured(type: AnyCheckType, stored: StoredCheck, answer: Entry): Entry {
  const assigned = stored.offset_sent ? [] : ['frequencyOffset']
  const own = without(answer, [...responseOnlyCheckFields, ...referring, ...assigned])
  const lasting = stored.muted_until === null ? own : { ...own, muted: false }
  return withoutToken(type, lasting)
}
