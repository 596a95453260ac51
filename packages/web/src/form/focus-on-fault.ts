import { useEffect, useRef } from 'react'

/** Moves the focus to the first field with a fault, each time there is another `failure`. The answer is the `ref` of the form. */
export function useFocusOnFault(failure: unknown) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  return form
}
