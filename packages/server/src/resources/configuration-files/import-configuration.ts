import { secretMask } from '@vedette/checks'
import { mostImported, type ConfigurationImport, type ConfigurationPlan, type PlannedResource } from '@vedette/wire'
import { undoable } from '../../access/savepoint-store.ts'
import { writesWithin, type Change, type VerbContext } from '../../access/write.ts'
import { ApiError, forbidden } from '../../api-error.ts'
import { lockChecksOfAccount } from '../../settings/store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { changesBetween } from './changes-between.ts'
import type { Brought, FileKind, Held, NamedIds } from './file-kind.ts'
import { filePathOf, referredBy } from './kinds/named-references.ts'
import { fileKindsOf } from './kinds/index.ts'
import { isReferred, nameId, readConfiguration, type Configuration } from './read-configuration.ts'
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
  const read: ReadPart[] = []
  for (const kind of kinds) {
    const entries = entriesOf(document, kind)
    const held = before.held.get(kind) ?? []
    if (entries)
      read.push({ kind, held, named: namesIn(kind, entries), ...(await readEntries(kind, entries, { held, values })) })
  }
  const problems = read.flatMap((part) => part.problems)
  const surplus = options.remove
    ? read.map(({ kind, held, named }) => ({
        kind,
        held: held.filter(({ name }) => !kind.isSingle && !named.has(name)).toReversed(),
      }))
    : []
  const names = namesAfter(before, surplus)
  const inFiles = new Map(read.map(({ kind, named }) => [kind.kind, named]))
  const parts = read.map(({ kind, wanted }) => ({
    kind,
    planned: wanted.map((one) => ({ ...one, planned: plannedOf(one) })),
  }))
  refuseTooMany(parts, surplus)
  const plan: PlannedResource[] = []
  for (const { kind, planned } of parts) {
    refuseAccount(kind, planned, options)
    plan.push(...planned.map((one) => one.planned))
    const found = await bring(ctx, kind, planned, names)
    problems.push(...found.filter((problem) => !isFollowing(problem, inFiles, names)))
  }
  // What is named goes after what names it.
  for (const { kind, held } of surplus.toReversed()) {
    plan.push(...held.map(({ name }) => ({ kind: kind.kind, name, action: 'delete' as const, changes: [] })))
    problems.push(...(await removeAll(ctx, kind, held)))
  }
  if (problems.length > 0) throw refusal(problems)
  return plan
}

const namesIn = (kind: FileKind, entries: readonly Record<string, unknown>[]): Set<string> =>
  new Set(entries.flatMap((entry) => kind.nameOf(entry) ?? []))

/** What a document says of one kind. */
interface ReadPart {
  kind: FileKind
  held: readonly Held[]
  /** Names of the entries, also of those that were not understood. */
  named: Set<string>
  wanted: Wanted[]
  problems: EntryProblem[]
}

type Surplus = Pick<ReadPart, 'kind' | 'held'>

type Planned = Wanted & { planned: PlannedResource }

function refuseTooMany(parts: readonly { planned: readonly Planned[] }[], surplus: readonly Surplus[]): void {
  const differing = parts.flatMap(({ planned }) => planned.filter(({ planned: { action } }) => action !== 'unchanged'))
  const writes = surplus.reduce((sum, { held }) => sum + held.length, differing.length)
  if (writes > mostImported)
    throw new ApiError(
      400,
      `The import would make, change and delete ${writes} resources; one import may write ${mostImported}. Send the files in parts: what is there as it should be is not counted.`,
    )
}

function refuseAccount({ kind }: FileKind, all: readonly Planned[], { mayChangeAccount }: ImportOptions): void {
  if (kind === 'account' && !mayChangeAccount && all.some(({ planned }) => planned.action === 'change'))
    throw forbidden('Changing the settings of the account needs the role admin; leave "account" out of the files.')
}

/** What may be named: not what is deleted by the same import. */
function namesAfter({ names }: Configuration, surplus: readonly Surplus[]): NamedIds {
  for (const { kind, held } of surplus)
    for (const { name } of held) if (isReferred(kind.kind)) names[kind.kind].delete(name)
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

/** Brings the entries of one kind to what they are to be. */
async function bring(
  ctx: VerbContext,
  kind: FileKind,
  all: readonly Planned[],
  names: NamedIds,
): Promise<EntryProblem[]> {
  const problems: EntryProblem[] = []
  for (const one of all.filter(({ planned }) => planned.action === 'unchanged'))
    problems.push(...(await attempt(one, () => kind.requireNamed?.(one.whole, names))))
  const differing = all.filter(({ planned }) => planned.action !== 'unchanged')
  const brought = differing.map(({ held, whole, planned }) => ({
    held,
    entry: whole,
    fields: new Set(planned.changes.map(({ path }) => path.split('.')[0] ?? '')),
  }))
  const { many } = kind
  const refused = many && (await many.bring(ctx, brought, names))
  for (const [index, one] of differing.entries()) {
    const work = () =>
      refused ? rethrow(refused.get(index)) : bringOne(ctx, kind, { ...one, brought: brought[index] }, names)
    problems.push(...(await attempt(one, work)).map((problem) => inWordsOfSecrets(problem, one)))
  }
  return problems
}

async function bringOne(
  ctx: VerbContext,
  kind: FileKind,
  { name, held, whole, brought }: Wanted & { brought: Brought | undefined },
  names: NamedIds,
): Promise<void> {
  if (held && brought) return void (await kind.change?.(ctx, { ...brought, held }, names))
  const id = await kind.create?.(ctx, whole, names)
  if (isReferred(kind.kind) && id !== undefined) nameId(names, kind.kind, name, id)
}

function rethrow(error: ApiError | undefined): void {
  if (error) throw error
}

function inWordsOfSecrets(problem: EntryProblem, { references }: Wanted): EntryProblem {
  const secret = references.get(problem.path)
  return secret !== undefined && problem.message.includes('mask') ? { ...problem, message: noValue(secret) } : problem
}

async function removeAll(ctx: VerbContext, kind: FileKind, all: readonly Held[]): Promise<EntryProblem[]> {
  const problems: EntryProblem[] = []
  const refused = kind.many && (await kind.many.remove(ctx, all))
  for (const [index, held] of all.entries()) {
    const work = () => (refused ? rethrow(refused.get(index)) : kind.remove?.(ctx, held))
    problems.push(...(await attempt({ kind, name: held.name, index: undefined }, work)))
  }
  return problems
}

async function attempt(
  { kind, name, index }: Pick<EntryProblem, 'kind' | 'name' | 'index'>,
  work: () => unknown,
): Promise<EntryProblem[]> {
  try {
    await work()
    return []
  } catch (error) {
    const { problems, statusCode } = problemsOf(error)
    return problems.map(({ path, message }) => ({ kind, name, index, path: filePathOf(path), message, statusCode }))
  }
}

/** A name of the files that nothing has yet, because what has it was refused itself. */
function isFollowing(
  { path, message }: EntryProblem,
  inFiles: ReadonlyMap<FileKind['kind'], ReadonlySet<string>>,
  names: NamedIds,
): boolean {
  if (!message.startsWith('names no ')) return false
  const kind = referredBy(path.split('.')[0] ?? '')
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
