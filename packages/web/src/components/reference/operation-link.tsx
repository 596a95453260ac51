import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { MethodMark } from './method-mark.tsx'
import { Prose } from './prose.tsx'
import type { Operation } from './document/operations.ts'

interface Props {
  operation: Operation
  onOpen?: () => void
}

/** Leads to an operation: its summary, with method and path. */
export function OperationLink({ operation, onOpen }: Props) {
  const { id, method, path, summary } = operation
  return (
    <Link
      to="/docs"
      hash={id}
      onClick={onOpen}
      // Only the address of the shown one is the same with what follows its `#`.
      activeOptions={{ includeHash: true }}
      className="flex min-h-control items-start gap-2.5 rounded-md px-2 py-1.5 hover:bg-sunken aria-[current=page]:bg-accent-wash"
    >
      <MethodMark method={method} />
      <span className="min-w-0">
        <span className="block break-words">
          <Prose text={summary} />
        </span>
        <span className="block font-mono text-sm break-words text-ink-soft">
          <BreakablePath path={path} />
        </span>
      </span>
    </Link>
  )
}

/** A path that breaks between its parts. */
export function BreakablePath({ path }: { path: string }) {
  return path.split('/').map((part, at) => (
    <Fragment key={at}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))
}
