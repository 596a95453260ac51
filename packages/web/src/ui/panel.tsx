import { useId, type ReactNode } from 'react'

interface Props {
  title: string
  children: ReactNode
  /** Controls at the right of the title. */
  aside?: ReactNode
  /** Content that reaches the edges, such as rows. */
  isFlush?: boolean
}

/** A titled part of a page. */
export function Panel({ title, children, aside, isFlush = false }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-surface shadow-raised">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-1.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      <div className={isFlush ? 'pb-1' : 'px-4 pt-1 pb-4'}>{children}</div>
    </section>
  )
}

/** What went wrong with a part of a page, with a way to try again. */
export function Fault({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <p role="alert" className="break-words text-fail">
      {text}{' '}
      {onRetry && (
        <button type="button" onClick={onRetry} className="min-h-control font-medium underline">
          Try again
        </button>
      )}
    </p>
  )
}
