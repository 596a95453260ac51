import { useEffect, useRef } from 'react'

/** Moves the focus to the first field that the server refused. The answer is the `ref` of the form. */
export function useFocusOnFault(failure: Error | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  return form
}
