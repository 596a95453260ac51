import { createContext, useContext } from 'react'
import { valueAt, type AnyCheckType } from '@vedette/checks'
import type { FieldProblem } from '@vedette/wire'
import { capitalised } from '../ui/capitalised.ts'

export interface FormState {
  /** Present when the form is that of a check. */
  type?: AnyCheckType
  definition: Record<string, unknown>
  change: (path: string, value: unknown) => void
  /** True while nothing of it is stored. */
  isNew: boolean
  /** What is wrong, by dotted path. */
  faults: readonly FieldProblem[]
  /** Somebody has left the field: from now on it says what is wrong with it. */
  touch?: (path: string) => void
}

const FormContext = createContext<FormState | undefined>(undefined)
export const FormProvider = FormContext.Provider

export function useForm(): FormState {
  const form = useContext(FormContext)
  if (!form) throw new Error('A form field stands outside of a form')
  return form
}

/** The check type of a check's form. */
export function useCheckType(): AnyCheckType {
  const { type } = useForm()
  if (!type) throw new Error('This field belongs to the form of a check')
  return type
}

interface Field<T> {
  value: T
  set: (value: T) => void
  /** Something is wrong with it or with what is in it. */
  faulty: boolean
  /** What is wrong with it. */
  complaint: string | undefined
}

/** One field of the definition: its value, how to change it, and what is wrong with it. */
export function useField<T>(path: string): Field<T> {
  const { definition, change, faults } = useForm()
  const own = faults.filter((fault) => isWithin(fault.path, path))
  return {
    value: valueAt(definition, path) as T,
    set: (value) => change(path, value),
    faulty: own.length > 0,
    complaint: complaintOf(own),
  }
}

/** "must be a number" as a sentence. */
function complaintOf([first]: readonly FieldProblem[]): string | undefined {
  if (first === undefined || first.message === '') return undefined
  return `${capitalised(first.message)}.`.replace(/\.\.$/, '.')
}

/** Whether a refused path is this field or something inside it. */
export const isWithin = (fault: string | undefined, path: string): boolean =>
  fault === path || (fault?.startsWith(`${path}.`) ?? false)
