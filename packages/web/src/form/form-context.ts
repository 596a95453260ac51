import { createContext, useContext } from 'react'
import { valueAt, type AnyCheckType } from '@vedette/checks'

export interface FormState {
  /** Present when the form is that of a check. */
  type?: AnyCheckType
  definition: Record<string, unknown>
  change: (path: string, value: unknown) => void
  /** True while nothing of it is stored. */
  isNew: boolean
  /** Dotted paths that the server refused. Its message is about the first of them. */
  faults: readonly string[]
  complaint: string | undefined
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
  /** The server refused it. */
  faulty: boolean
  /** What the server said about it, when it said something. */
  complaint: string | undefined
}

/** One field of the definition: its value, how to change it, and the server's error. */
export function useField<T>(path: string): Field<T> {
  const { definition, change, faults, complaint } = useForm()
  return {
    value: valueAt(definition, path) as T,
    set: (value) => change(path, value),
    faulty: faults.some((fault) => isWithin(fault, path)),
    complaint: isWithin(faults[0], path) ? complaint : undefined,
  }
}

/** Whether a refused path is this field or something inside it. */
export const isWithin = (fault: string | undefined, path: string): boolean =>
  fault === path || (fault?.startsWith(`${path}.`) ?? false)
