import { useEffect, useRef } from 'react'

/** Takes the writer to the first field the server refused. Put the answer on the form as its `ref`. */
export function useFocusOnFault(failure: Error | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [failure])
  return form
}
