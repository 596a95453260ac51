import { valueAt } from '@vedette/checks'
import type { Assertion } from '@vedette/wire'
import type { PickedValue } from '../components/results/pick-value.ts'
import { toast } from '../ui/toast.ts'
import { assertionText } from '../components/results/assertion-text.ts'
import { useCheckType, useForm } from './form-context.ts'

/** What a click on a value of a dry run asserts: that it is what it was. */
export function assertionOf({ source = '', property, value }: PickedValue): Assertion {
  const isEmpty = value === null || value === ''
  return {
    source,
    property,
    comparison: value === null ? 'IS_NULL' : isEmpty ? 'IS_EMPTY' : 'EQUALS',
    target: isEmpty ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    regex: null,
  }
}

/** Clicks on values of a dry run add assertions to the form, each once. */
export function useAssertPicked() {
  const { definition, change } = useForm()
  const type = useCheckType()
  const path = type.form.flatMap(({ fields }) => fields).find(({ kind }) => kind === 'assertions')?.path
  return {
    title: 'Assert it',
    takesAll: false,
    pick(picked: PickedValue) {
      if (path === undefined || picked.source === undefined) return
      const assertion = assertionOf(picked)
      const present = (valueAt(definition, path) as Assertion[] | undefined) ?? []
      const isThere = present.some(
        (each) =>
          each.source === assertion.source && each.property === assertion.property && each.target === assertion.target,
      )
      if (!isThere) change(path, [...present, assertion])
      toast(`${isThere ? 'Asserted already' : 'Asserted'}: ${assertionText(assertion)}.`)
    },
  }
}
