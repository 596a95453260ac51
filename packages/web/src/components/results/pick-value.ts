import { createContext, useContext } from 'react'
import { toast } from '../../ui/toast.ts'

/** A value of a result that somebody clicked. */
export interface PickedValue {
  /** Assertion source that reads it; undefined where none does. */
  source: string | undefined
  /** Which of the values of the source: a JSONPath, the name of a header. */
  property: string
  value: unknown
}

interface Picking {
  /** What a click does, for the tip of the value. */
  title: string
  pick: (picked: PickedValue) => void
  /** Values without a source can be picked too. */
  takesAll: boolean
}

const copyValue: Picking = {
  title: 'Copy it',
  takesAll: true,
  pick({ property, value }) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    void navigator.clipboard
      .writeText(text)
      .then(() => toast(`Copied the value${property === '' ? '' : ` of ${property}`}.`))
  },
}

const PickContext = createContext<Picking>(copyValue)

/** Around results whose values lead to something of their own, such as an assertion. */
export const PickValueProvider = PickContext.Provider

/** What a click on a value of a result does: by itself, it copies the value. */
export const usePickValue = (): Picking => useContext(PickContext)
