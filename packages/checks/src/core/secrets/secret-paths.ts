import type { AnyCheckType, Definition } from '../check-type.ts'

/** Stands for a secret in answers. Sent back, it keeps the stored value. */
export const secretMask = '******'

/** What has secrets at known places: a check type, a group. */
export type HasSecrets = Pick<AnyCheckType, 'secretPaths'>

type Change = (value: string, path: string) => string
type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null
const isSecretItem = (item: unknown) => isContainer(item) && !Array.isArray(item) && item.secret === true

function changeItems(list: readonly unknown[], steps: readonly string[], path: string, change: Change): unknown[] {
  return list.map((item, index) => (isSecretItem(item) ? changeAt(item, steps, `${path}${index}.`, change) : item))
}

function changeAt(value: unknown, steps: readonly string[], path: string, change: Change): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return typeof value === 'string' ? change(value, path.slice(0, -1)) : value
  if (step === '[secret]') return Array.isArray(value) ? changeItems(value, rest, path, change) : value
  if (!isContainer(value) || Array.isArray(value) || !Object.hasOwn(value, step)) return value
  return { ...value, [step]: changeAt(value[step], rest, `${path}${step}.`, change) }
}

/**
 * A copy of the definition with every secret replaced by what `change` makes of it. `path` is dotted, list items by
 * index.
 */
export const mapSecrets = (type: HasSecrets, definition: Definition, change: Change): Definition =>
  type.secretPaths.reduce((whole, path) => changeAt(whole, path.split('.'), '', change) as Definition, definition)

/** The definition as it is answered: secrets masked. An empty one is shown empty. */
export const maskSecrets = (type: HasSecrets, definition: Definition): Definition =>
  mapSecrets(type, definition, (value) => (value === '' ? '' : secretMask))

/** All secrets of a definition, by dotted path. */
export function secretsOf(type: HasSecrets, definition: Definition): Map<string, string> {
  const found = new Map<string, string>()
  mapSecrets(type, definition, (value, path) => {
    found.set(path, value)
    return value
  })
  return found
}

/** List items are identified by their key, so that masks keep their secrets when the list is reordered. */
function identityOf(definition: Definition, path: string): string {
  const steps = path.split('.')
  const index = steps.findIndex((step) => /^\d+$/.test(step))
  if (index < 1) return path
  const list = steps.slice(0, index).reduce<unknown>((value, step) => (value as Definition)[step], definition)
  const item = (list as Definition[])[Number(steps[index])]
  return `${steps.slice(0, index).join('.')}[${String(item?.key)}].${steps.slice(index + 1).join('.')}`
}

/** Restores the stored secret wherever its mask was sent. */
export function keepMaskedSecrets(type: HasSecrets, stored: Definition, sent: Definition): Definition {
  const kept = new Map([...secretsOf(type, stored)].map(([path, value]) => [identityOf(stored, path), value]))
  return mapSecrets(type, sent, (value, path) => {
    if (value !== secretMask) return value
    return kept.get(identityOf(sent, path)) ?? value
  })
}
