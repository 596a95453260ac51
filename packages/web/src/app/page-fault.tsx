import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'

/** Shown when a page breaks: the rest of the app goes on. */
export function PageFault({ error, reset }: ErrorComponentProps) {
  return (
    <div role="alert" className="mx-auto mt-[10vh] max-w-lg">
      <h1 className="text-xl font-semibold">This page broke</h1>
      <p className="mt-1 mb-4 break-words text-ink-soft">{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={reset}>Show it again</Button>
    </div>
  )
}
