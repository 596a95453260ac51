import { secretMask } from '@vedette/checks'
import type { ConfigurationImport, ConfigurationPlan, PlannedResource } from '@vedette/wire'
import { undoable } from '../../access/savepoint-store.ts'
import { writesWithin, type Change, type VerbContext } from '../../access/write.ts'
import { ApiError, forbidden } from '../../api-error.ts'
import { lockChecksOfAccount } from '../../settings/store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { changesBetween } from './changes-between.ts'
import type { FileKind, Held, NamedIds } from './file-kind.ts'
import { filePathOf } from './kinds/named-references.ts'
import { fileKindsOf } from './kinds/index.ts'
import { isReferred, readConfiguration, type Configuration } from './read-configuration.ts'
import { changedSecrets, noValue } from './secret-references.ts'
import { entriesOf, problemsOf, readEntries, type EntryProblem, type Wanted } from './wanted.ts'

export interface ImportOptions {
  dryRun: boolean
  /** Delete what is not in the sections that were sent. */
  remove: boolean
  mayChangeAccount: boolean
}

/**
 * Brings the account to what the document says, in one transaction and by the verbs of each resource. A dry run does the
 * same and takes it back, so that its plan and its problems are those of the import.
 */
export const importConfiguration =
  (deps: ApiDeps) =>
  (
    caller: VerbContext,
    { secrets = {}, ...document }: ConfigurationImport,
    options: ImportOptions,
  ): Promise<ConfigurationPlan> => {
    const ctx = { ...caller, ifMatch: undefined }
    return deps.write(ctx, { action: 'update', resource: 'configuration' }, async (change) => {
      const { write, announce } = writesWithin(change)
      const kinds = fileKindsOf({ ...deps, write })
      const plan = await undoable(
        change.client,
        () => bringTo(change, ctx, kinds, { document, values: secrets, options }),
        () => !options.dryRun,
      )
      const applied = !options.dryRun
      // Each verb wrote its own line of the audit log.
      return { id: ctx.accountId, answer: { plan, applied }, unchanged: true, ...(applied && { announce }) }
    })
  }

interface Asked {
  document: Omit<ConfigurationImport, 'secrets'>
  values: Readonly<Record<string, string>>
  options: ImportOptions
}

async function bringTo(
  { client, at }: Change,
  ctx: VerbContext,
  kinds: readonly FileKind[],
  { document, values, options }: Asked,
): Promise<PlannedResource[]> {
  await lockChecksOfAccount(client, ctx.accountId)
  const before = await readConfiguration(kinds, { client, account: ctx.accountId, at })
  const read = kinds.flatMap((kind) => {
    const entries = entriesOf(document, kind)
    const held = before.held.get(kind) ?? []
    return entries
      ? [{ kind, held, named: namesIn(kind, entries), ...readEntries(kind, entries, { held, values }) }]
      : []
  })
  const problems = read.flatMap((part) => part.problems)
  const surplus = options.remove
    ? read.flatMap(({ kind, held, named }) =>
        held.filter(({ name }) => kind.remove && !named.has(name)).map((one) => ({ kind, held: one })),
      )
    : []
  const names = namesAfter(before, surplus)
  const inFiles = new Map(read.map(({ kind, named }) => [kind.kind, named]))
  const plan: PlannedResource[] = []
  for (const one of read.flatMap(({ wanted }) => wanted)) {
    const planned = plannedOf(one)
    if (one.kind.kind === 'account' && planned.action === 'change' && !options.mayChangeAccount)
      throw forbidden('Changing the settings of the account needs the role admin; leave "account" out of the files.')
    plan.push(planned)
    problems.push(...(await bring(ctx, one, planned, names)).filter((problem) => !isFollowing(problem, inFiles, names)))
  }
  // What is named goes after what names it.
  for (const { kind, held } of surplus.toReversed()) {
    plan.push({ kind: kind.kind, name: held.name, action: 'delete', changes: [] })
    problems.push(...(await attempt({ kind, name: held.name, index: undefined }, () => kind.remove?.(ctx, held))))
  }
  if (problems.length > 0) throw refusal(problems)
  return plan
}

const namesIn = (kind: FileKind, entries: readonly Record<string, unknown>[]): Set<string> =>
  new Set(entries.flatMap((entry) => kind.nameOf(entry) ?? []))

interface Surplus {
  kind: FileKind
  held: Held
}

/** What may be named: not what is deleted by the same import. */
function namesAfter({ names }: Configuration, surplus: readonly Surplus[]): NamedIds {
  for (const { kind, held } of surplus) if (isReferred(kind.kind)) names[kind.kind].delete(held.name)
  return names
}

function plannedOf({ kind, name, held, entry, whole, references }: Wanted): PlannedResource {
  if (!held) return { kind: kind.kind, name, action: 'create', changes: [] }
  const shown = changesBetween(held.entry, entry).filter(({ path, after }) => {
    const isSame = after === secretMask && references.has(path) && held.secrets.get(path) === undefined
    return !(isSame && valueEquals(held, whole, path))
  })
  const paths = new Set(shown.map(({ path }) => path))
  const hidden = changedSecrets(whole, references, held)
    .filter((path) => ![...paths].some((known) => path === known || path.startsWith(`${known}.`)))
    .filter((path) => !valueEquals(held, whole, path))
    .map((path) => ({ path, before: secretMask, after: secretMask }))
  const changes = [...shown, ...hidden]
  return { kind: kind.kind, name, action: changes.length === 0 ? 'unchanged' : 'change', changes }
}

/** A reference may stand for a text that is not secret, and then both sides show it differently. */
const valueEquals = (held: Held, whole: Record<string, unknown>, path: string): boolean =>
  held.entry[path] !== undefined && held.entry[path] === whole[path]

async function bring(
  ctx: VerbContext,
  { kind, index, name, held, whole, references }: Wanted,
  { action, changes }: PlannedResource,
  names: NamedIds,
): Promise<EntryProblem[]> {
  if (action === 'unchanged') return attempt({ kind, name, index }, () => kind.requireNamed?.(whole, names))
  const fields = new Set(changes.map(({ path }) => path.split('.')[0] ?? ''))
  const found = await attempt({ kind, name, index }, async () => {
    if (held) return kind.change(ctx, { held, entry: whole, fields }, names)
    const id = await kind.create?.(ctx, whole, names)
    if (isReferred(kind.kind)) names[kind.kind].set(name, Number(id))
  })
  return found.map((problem) => {
    const secret = references.get(problem.path)
    return secret !== undefined && problem.message.includes('mask') ? { ...problem, message: noValue(secret) } : problem
  })
}

async function attempt(
  of: Pick<EntryProblem, 'kind' | 'name' | 'index'>,
  work: () => unknown,
): Promise<EntryProblem[]> {
  try {
    await work()
    return []
  } catch (error) {
    const { problems, statusCode } = problemsOf(error)
    return problems.map(({ path, message }) => ({ ...of, path: filePathOf(path), message, statusCode }))
  }
}

/** A name of the files that nothing has yet, because what has it was refused itself. */
function isFollowing(
  { path, message }: EntryProblem,
  inFiles: ReadonlyMap<FileKind['kind'], ReadonlySet<string>>,
  names: NamedIds,
): boolean {
  if (!message.startsWith('names no ')) return false
  const kind = path === 'group' ? 'checkGroup' : path.startsWith('alertChannels.') ? 'alertChannel' : 'snippet'
  return [...(inFiles.get(kind) ?? [])].some((name) => !names[kind].has(name) && message.includes(JSON.stringify(name)))
}

const mostShown = 50

/** All problems at once, each on its line, with the field of each at the same place among the keys. */
function refusal(problems: readonly EntryProblem[]): ApiError {
  const lines = problems.map(({ kind, name, index, path, message }) => {
    const which =
      name === ''
        ? `${kind.section}.${index ?? 0}`
        : kind.kind === 'account'
          ? 'account'
          : `${kind.title} "${name.slice(0, 100)}"`
    return `${which}: ${path === '' ? message : `"${path}" ${message}`}`.replaceAll(/\s*\n\s*/g, ' ')
  })
  const more = lines.length > mostShown ? [`and ${lines.length - mostShown} more`] : []
  const keys = problems.map(({ kind, index, path }) =>
    [
      kind.section,
      ...(index === undefined || kind.kind === 'account' ? [] : [String(index)]),
      ...(path === '' ? [] : [path]),
    ].join('.'),
  )
  const isConflict = problems.every(({ statusCode }) => statusCode === 409)
  const message = [...lines.slice(0, mostShown), ...more].join('\n')
  if (isConflict) return new ApiError(409, message)
  return new ApiError(400, message, { validation: { source: 'payload', keys } })
}
