import { z } from 'zod'
import { invalid, type FieldError } from '../../../api-error.ts'
import type { Entry, NamedIds, ReferredKind } from '../file-kind.ts'

const name = z.string().min(1).max(2000)
const channel = z.union([name, z.strictObject({ name, activated: z.boolean() })])

/** What checks and groups name, in the words of files. */
export const namedFields = {
  group: name.nullable().optional(),
  setupSnippet: name.nullable().optional(),
  tearDownSnippet: name.nullable().optional(),
  alertChannels: z.array(channel).max(200).optional(),
  parents: z.array(name).max(20).optional(),
}
export type Named = z.infer<z.ZodObject<typeof namedFields>>

/** The field of the API by the field of files. */
export const apiFieldOf: Readonly<Record<string, string>> = {
  group: 'groupId',
  setupSnippet: 'setupSnippetId',
  tearDownSnippet: 'tearDownSnippetId',
  alertChannels: 'alertChannelSubscriptions',
  parents: 'parentCheckIds',
}

/** What a field of files names. */
export const referredBy = (field: string): ReferredKind =>
  field === 'group'
    ? 'checkGroup'
    : field === 'alertChannels'
      ? 'alertChannel'
      : field === 'parents'
        ? 'check'
        : 'snippet'

/** A path of the API in the words of files. */
export function filePathOf(path: string): string {
  const [field = '', ...rest] = path.split('.')
  const named = Object.entries(apiFieldOf).find(([, apiField]) => apiField === field)?.[0]
  const below = named === 'alertChannels' ? rest.slice(0, 1) : rest
  return [named ?? (field === 'checkType' ? 'type' : field), ...below].join('.')
}

/** Fields of the API that files say in other words, and those that only answers carry. */
const refused = new Set([...Object.values(apiFieldOf), 'id', 'checkType', 'created_at', 'updated_at'])

export function refuseApiFields(entry: Entry): void {
  const problems = Object.keys(entry)
    .filter((field) => refused.has(field))
    .map((path) => ({
      path,
      message: filePathOf(path) === path ? 'is not a known field of files' : `is "${filePathOf(path)}" in files`,
    }))
  if (problems.length > 0) throw invalid(problems)
}

/** The references as they are written, those that name nothing left out. */
export function shortNamed({ group, setupSnippet, tearDownSnippet, alertChannels, parents = [] }: Named): Entry {
  const channels = (alertChannels ?? []).map((one) => (typeof one === 'string' || !one.activated ? one : one.name))
  const nameOf = (one: (typeof channels)[number]) => (typeof one === 'string' ? one : one.name)
  const byName = channels.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return {
    ...(group && { group }),
    ...(setupSnippet && { setupSnippet }),
    ...(tearDownSnippet && { tearDownSnippet }),
    ...(channels.length > 0 && { alertChannels: byName }),
    ...(parents.length > 0 && { parents: parents.toSorted() }),
  }
}

/** References by id, as answers of the API have them. */
export interface References {
  groupId?: unknown
  setupSnippetId?: unknown
  tearDownSnippetId?: unknown
  alertChannelSubscriptions?: readonly { alertChannelId: number; activated: boolean }[]
  /** Their names already, which checks are known by. */
  parents?: readonly string[]
}

/** The names of what a resource refers to by id. */
export function namesOf(of: References, names: NamedIds): Entry {
  const nameOf = (kind: Exclude<ReferredKind, 'check'>, id: unknown) =>
    [...names[kind]].find(([, known]) => known === id)?.[0]
  const channels = (of.alertChannelSubscriptions ?? []).flatMap(({ alertChannelId, activated }) => {
    const known = nameOf('alertChannel', alertChannelId)
    return known === undefined ? [] : { name: known, activated }
  })
  return shortNamed({
    group: nameOf('checkGroup', of.groupId),
    setupSnippet: nameOf('snippet', of.setupSnippetId),
    tearDownSnippet: nameOf('snippet', of.tearDownSnippetId),
    alertChannels: channels,
    ...(of.parents && { parents: [...of.parents] }),
  })
}

const titles = { alertChannel: 'alert channel', checkGroup: 'check group', snippet: 'snippet', check: 'check' }

/** The ids of what an entry names, by field of the API. Throws a 400 for names that nothing has. */
export function idsOf(
  { group, setupSnippet, tearDownSnippet, alertChannels = [], parents = [] }: Named,
  names: NamedIds,
): Entry {
  const problems: FieldError[] = []
  const idOf = (kind: ReferredKind, path: string, wanted: string | null | undefined): number | string | null => {
    if (wanted === null || wanted === undefined) return null
    const id = names[kind].get(wanted)
    if (id === undefined)
      problems.push({
        path,
        message: `names no ${titles[kind]} that there will be, got ${JSON.stringify(wanted).slice(0, 100)}`,
      })
    return id ?? null
  }
  const ids = {
    groupId: idOf('checkGroup', 'group', group),
    setupSnippetId: idOf('snippet', 'setupSnippet', setupSnippet),
    tearDownSnippetId: idOf('snippet', 'tearDownSnippet', tearDownSnippet),
    alertChannelSubscriptions: alertChannels.map((one, index) => ({
      alertChannelId: idOf('alertChannel', `alertChannels.${index}`, typeof one === 'string' ? one : one.name),
      activated: typeof one === 'string' || one.activated,
    })),
    parentCheckIds: parents.map((one, index) => idOf('check', `parents.${index}`, one)),
  }
  if (problems.length > 0) throw invalid(problems)
  return ids
}
