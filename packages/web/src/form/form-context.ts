import { createContext, useContext } from 'react'
import type { AnyCheckType } from '@vedette/checks'
import { valueAt } from './paths.ts'

export interface FormState {
  /** Present when the form is that of a check. */
  type?: AnyCheckType
  definition: Record<string, unknown>
  change: (path: string, value: unknown) => void
  /** Dotted paths the server found fault with, and its first complaint. */
  faults: readonly string[]
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

/** One field of the definition: its value, how to change it, and whether the server refused it. */
export function useField<T>(path: string): { value: T; set: (value: T) => void; faulty: boolean } {
  const { definition, change, faults } = useForm()
  return {
    value: valueAt(definition, path) as T,
    set: (value) => change(path, value),
    faulty: faults.some((fault) => fault === path || fault.startsWith(`${path}.`)),
  }
}
