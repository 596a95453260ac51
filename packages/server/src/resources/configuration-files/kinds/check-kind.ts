import {
  checkTypeOf,
  checkTypes,
  completeDefinition,
  createSchema,
  defaultsOf,
  eventTokenOf,
  secretsOf,
  valueAt,
  withValueAt,
  type AnyCheckType,
} from '@vedette/checks'
import { responseOnlyCheckFields } from '@vedette/wire'
import { z } from 'zod'
import { ApiError, invalid, invalidField } from '../../../api-error.ts'
import type { VerbContext } from '../../../access/write.ts'
import type { ApiDeps } from '../../api-deps.ts'
import {
  answersOf,
  circleProblem,
  draftOfNew,
  eachAlone,
  listChecks,
  unsealDefinition,
  updateSchemaOf,
  writeManyChecks,
  type StoredCheck,
} from '../../checks/for-verbs.ts'
import type { Brought, Changed, Entry, FileKind, Held, NamedIds, RefusedOfMany } from '../file-kind.ts'
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
import { parentsFirst } from './parents-first.ts'
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

function short(entry: Entry): Entry {
  const type = typeOf(entry)
  const own = ownFields(entry)
  const defaults = without(defaultsOf(type), Object.keys(type.fields))
  return inOrder({
    ...without(entry, Object.keys(own)),
    ...shortened(own, ifValid(completeOf(type)), defaults),
  }) as Entry
}

const isTokenSent = (type: AnyCheckType, own: Entry): boolean => (eventTokenOf(type, own) ?? '') !== ''

export function checkKind(deps: ApiDeps): FileKind {
  const checks = writeManyChecks(deps)
  return {
    kind: 'check',
    section: 'checks',
    title: 'check',
    nameField: 'name',
    nameOf: (entry) => textAt(entry, 'name'),
    read: ({ client, account, at, names }) => readChecks(deps, client, { account, at, names }),
    canonical,
    short,
    secretPaths: (entry) =>
      [...secretsOf(typeOf(entry), entry)].filter(([, value]) => value !== '').map(([path]) => path),
    requireNamed: (entry, names) => idsOf(parsed(named, entry), names),
    many: {
      bring: (ctx, all, names) => bringChecks(checks, ctx, all, names),
      async remove(ctx, all) {
        const places = new Map(all.map(({ id }, place) => [String(id), place]))
        return byPlace(places, await checks.remove(ctx, [...places.keys()]))
      },
    },
  }
}

async function bringChecks(
  checks: ReturnType<typeof writeManyChecks>,
  ctx: VerbContext,
  all: readonly Brought[],
  names: NamedIds,
): Promise<RefusedOfMany> {
  const numbered = all.map((one, place) => ({ id: String(place), place, ...one }))
  const refused = await createChecks(
    checks,
    ctx,
    numbered.filter(({ held }) => !held),
    names,
  )
  const updates = await eachAlone(
    numbered.flatMap(({ held, ...one }) => (held ? { ...one, held } : [])),
    ({ place, ...one }) => ({ ...updateOf(one, names), place }),
  )
  const places = new Map(updates.done.map(({ id, place }) => [id, place]))
  for (const { id, error } of updates.refused) refused.set(Number(id), error)
  for (const [place, error] of byPlace(places, await checks.update(ctx, updates.done))) refused.set(place, error)
  return refused
}

/** New checks can be named as soon as they are made, so parents are made before the checks that depend on them. */
async function createChecks(
  checks: ReturnType<typeof writeManyChecks>,
  ctx: VerbContext,
  all: readonly { id: string; place: number; entry: Entry }[],
  names: NamedIds,
): Promise<Map<number, ApiError>> {
  const nameOf = ({ entry }: { entry: Entry }) => String(entry['name'])
  const { levels, circles } = parentsFirst(all, { nameOf, parentsOf: ({ entry }) => parentsIn(entry) })
  const refused = new Map<number, ApiError>()
  for (const [{ place }, circle] of circles) refused.set(place, invalidField('parents', circleProblem(circle)))
  for (const level of levels) {
    const drafts = await eachAlone(level, (one) => ({ ...draftOf(one.entry, names), one }))
    for (const { id, one } of drafts.done) names.check.set(nameOf(one), id)
    for (const { id, error } of drafts.refused) refused.set(Number(id), error)
    const made = new Map(drafts.done.map(({ id, one }) => [id, one]))
    for (const { id, error } of await checks.create(ctx, drafts.done)) {
      const one = made.get(id)
      if (!one) continue
      refused.set(one.place, error)
      names.check.delete(nameOf(one))
    }
  }
  return refused
}

const parentsIn = ({ parents }: Entry): readonly string[] => (Array.isArray(parents) ? (parents as string[]) : [])

const byPlace = (places: ReadonlyMap<string, number>, refused: readonly { id: string; error: ApiError }[]) =>
  new Map(refused.map(({ id, error }) => [places.get(id) ?? -1, error]))

function draftOf(entry: Entry, names: NamedIds) {
  const type = typeOf(entry)
  const ids = without(idsOf(parsed(named, entry), names), missingIn(type))
  return draftOfNew({ type, sent: parsed(createOf(type), { ...ownFields(entry), ...ids }, type.secretPaths) })
}

function updateOf({ held, entry, fields }: Changed, names: NamedIds) {
  const type = typeOf(entry)
  if (held.entry['type'] !== type.type)
    throw invalidField('type', `cannot be changed: the check is of type ${String(held.entry['type'])}; delete it first`)
  const whole = { ...completeOf(type)(ownFields(entry)), ...idsOf(parsed(named, entry), names) }
  const changed = new Set([...fields].map((field) => apiFieldOf[field] ?? field))
  const some = Object.fromEntries(Object.entries(whole).filter(([field]) => changed.has(field)))
  return { id: String(held.id), type, sent: parsed(updateSchemaOf(type), some, type.secretPaths) }
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
  return { type: type.type, ...completeOf(type)({ ...own, ...kept }), ...shortNamed(references) }
}

async function readChecks(
  { vault }: ApiDeps,
  client: Parameters<FileKind['read']>[0]['client'],
  { account, at, names }: { account: string; at: Date; names: NamedIds },
): Promise<Held[]> {
  const filter = { tags: [], checkType: undefined, search: undefined, url: undefined, state: undefined, now: at }
  const { checks } = await listChecks(client, { account, filter }, { limit: Number.MAX_SAFE_INTEGER, offset: 0 })
  const answers = await answersOf(client, checks, { account, at })
  const nameById = new Map(checks.map(({ id, definition }) => [id, String(definition.name)]))
  return checks.flatMap((stored, index) => {
    const answer = answers[index]
    const type = checkTypeOf(stored.type)
    if (!answer || !type) return []
    const parents = stored.parent_ids.map((id) => nameById.get(id) ?? id)
    const references = namesOf({ ...(answer as References), parents }, names)
    const read = once(() => {
      const opened = unsealDefinition(vault, { account, checkId: stored.id }, type, stored)
      const secrets = [...secretsOf(type, opened)].filter(([, value]) => value !== '')
      const own = configured(type, stored, answer)
      const entry = { type: type.type, ...(ifValid(completeOf(type))(own) ?? own), ...references }
      return { entry, secrets: new Map(secrets) }
    })
    // An import needs only those that its files name.
    return {
      id: stored.id,
      name: String(answer['name']),
      get entry() {
        return read().entry
      },
      get secrets() {
        return read().secrets
      },
    }
  })
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** What somebody chose: no assigned offset, no token, and no mute that ends by itself. */
function configured(type: AnyCheckType, stored: StoredCheck, answer: Entry): Entry {
  const assigned = stored.offset_sent ? [] : ['frequencyOffset']
  const own = without(answer, [...responseOnlyCheckFields, ...referring, ...assigned])
  const lasting = stored.muted_until === null ? own : { ...own, muted: false }
  return withoutToken(type, lasting)
}
