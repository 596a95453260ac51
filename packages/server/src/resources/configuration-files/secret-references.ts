import { secretMask, valueAt } from '@vedette/checks'
import type { FieldError } from '../../api-error.ts'
import type { Entry, FileKind, Held } from './file-kind.ts'

/** Names of secrets by dotted path in the entry. */
export type SecretReferences = Map<string, string>

const nameRule = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The entry with masks in place of its references `{ $env: NAME }`. */
export function withoutReferences(entry: Entry): {
  entry: Entry
  references: SecretReferences
  problems: FieldError[]
} {
  const references: SecretReferences = new Map()
  const problems: FieldError[] = []
  const visit = (value: unknown, path: string): unknown => {
    const below = (step: string | number) => (path === '' ? String(step) : `${path}.${step}`)
    if (Array.isArray(value)) return value.map((item, index) => visit(item, below(index)))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value)
    if (!Object.hasOwn(value, '$env'))
      return Object.fromEntries(fields.map(([field, child]) => [field, visit(child, below(field))]))
    const name: unknown = (value as Entry)['$env']
    if (typeof name === 'string' && nameRule.test(name) && fields.length === 1) references.set(path, name)
    else
      problems.push({ path, message: 'must be { $env: NAME } with a name of letters, digits and _, and nothing else' })
    return secretMask
  }
  return { entry: visit(entry, '') as Entry, references, problems }
}

/** Secrets that stand in the clear, and references where no secret belongs. */
export function misplacedSecrets(
  entry: Entry,
  secretPaths: readonly string[],
  references: SecretReferences,
): FieldError[] {
  const clear = secretPaths.filter((path) => !references.has(path) && (valueAt(entry, path) ?? '') !== '')
  const elsewhere = [...references.keys()].filter((path) => !secretPaths.includes(path))
  return [
    ...clear.map((path) => ({ path, message: 'is a secret: write { $env: NAME } and send its value apart' })),
    ...elsewhere.map((path) => ({ path, message: 'is no secret: write the value itself, or use a variable' })),
  ]
}

const isInList = (path: string): boolean => path.split('.').some((step) => /^\d+$/.test(step))

/**
 * Puts the values in. A mask that stays keeps what is stored: the verbs find secrets in lists by the key of their item.
 */
export function withSecrets(
  entry: Entry,
  references: SecretReferences,
  { values, held }: { values: Readonly<Record<string, string>>; held: Held | undefined },
): { entry: Entry; problems: FieldError[] } {
  const whole = structuredClone(entry)
  const problems: FieldError[] = []
  for (const [path, name] of references) {
    const sent = Object.hasOwn(values, name) ? values[name] : undefined
    const value = sent ?? (isInList(path) ? undefined : held?.secrets.get(path))
    if (value !== undefined) put(whole, path, value)
    else if (!held || !isInList(path)) problems.push({ path, message: noValue(name) })
  }
  return { entry: whole, problems }
}

export const noValue = (name: string): string => `names ${name}, for which no value was sent and none is stored`

/** Paths of secrets whose value that is sent is another than the stored one. */
export const changedSecrets = (whole: Entry, references: SecretReferences, held: Held): string[] =>
  [...references.keys()].filter((path) => {
    const value = valueAt(whole, path)
    return value !== secretMask && value !== held.secrets.get(path)
  })

/** The entry with references in place of its masks, as a file holds it. `taken` are names that have another meaning. */
export function withReferences(kind: FileKind, { name, entry, secrets }: Held, taken: Set<string>): Entry {
  const whole = structuredClone(kind.short?.(entry) ?? entry)
  for (const path of secrets.keys())
    if (valueAt(whole, path) === secretMask)
      put(whole, path, { $env: freeName(proposed(kind, name, entry, path), taken) })
  return whole
}

function proposed({ kind }: FileKind, name: string, entry: Entry, path: string): string {
  const steps = path.split('.')
  const index = steps.findIndex((step) => /^\d+$/.test(step))
  const key = index < 0 ? undefined : valueAt(entry, [...steps.slice(0, index + 1), 'key'].join('.'))
  const what = kind === 'variable' ? [] : typeof key === 'string' ? [key] : steps.filter((step) => step !== 'config')
  const text = [name, ...what].join('_').replaceAll(/([a-z])([A-Z])/g, '$1_$2')
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  const joined = plain.replaceAll(/[^A-Z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return /^[A-Z]/.test(joined) ? joined : `_${joined}`
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let nr = 2; taken.has(free); nr++) free = `${name}_${nr}`
  taken.add(free)
  return free
}

function put(entry: Entry, path: string, value: unknown): void {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce<unknown>((node, step) => (node as Entry)[step], entry) as Entry
  parent[last] = value
}
