import { completeDefinition, createSchema, ruleProblems, updateSchema, type AnyCheckType } from '@vedette/checks'
import { fieldProblems, type FieldProblem } from '@vedette/wire'
import { capitalised } from '../ui/capitalised.ts'
import { isWithin } from './form-context.ts'

/** What is wrong with a definition by itself, as the server would say it. What depends on other things, it says when it is sent. */
export function faultsOf(type: AnyCheckType, definition: Record<string, unknown>, isNew: boolean): FieldProblem[] {
  const isNamed = definition['name'] !== ''
  const schema = isNew ? createSchema(type) : updateSchema(type)
  // A name of its own, so that a form without one is told its other faults too.
  const parsed = schema.safeParse(isNamed ? definition : { ...definition, name: 'New' }, { reportInput: true })
  const found = parsed.success
    ? ruleProblems(type, completeDefinition(type, parsed.data, newCheckId))
    : fieldProblems(parsed.error.issues, type.secretPaths)
  return isNamed ? found : [{ path: 'name', message: 'must not be empty' }, ...found]
}

/** The server assigns the id. What is completed from it breaks no rule. */
const newCheckId = '00000000-0000-8000-8000-000000000000'

/** The faults of fields that somebody has been at. */
export const ofTouched = (faults: readonly FieldProblem[], touched: ReadonlySet<string>): FieldProblem[] =>
  faults.filter(({ path }) => [...touched].some((each) => isWithin(path, each)))

/** "2 fields need a correction: Name, URL." */
export function faultsSentence(type: AnyCheckType, faults: readonly FieldProblem[]): string {
  const labels = [...new Set(faults.map(({ path }) => labelOf(type, path)))]
  const fields = labels.length === 1 ? 'One field needs' : `${labels.length} fields need`
  return `${fields} a correction: ${labels.join(', ')}.`
}

/** What the form calls a field; those that all types share are called by their name in words. */
function labelOf(type: AnyCheckType, path: string): string {
  const own = type.form.flatMap(({ fields }) => fields).find((field) => isWithin(path, field.path))
  if (own) return own.label
  const words = path.replace(/\..*/, '').replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return capitalised(words)
}
