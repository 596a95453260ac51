import { useCallback, useEffect, useRef } from 'react'

/** The same function at every drawing, which calls the latest `call`: what gets it need not be drawn again. For events only. */
export function useStable<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(call)
  useEffect(() => {
    latest.current = call
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
