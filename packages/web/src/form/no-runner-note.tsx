import { Hourglass } from 'lucide-react'

/** Says above a form what becomes of a check whose type has no runner. */
export function NoRunnerNote({ title }: { title: string }) {
  return (
    <p className="mb-3 flex items-start gap-2.5 rounded-md bg-accent-wash px-3 py-2">
      <Hourglass aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" />
      <span className="min-w-0">
        <strong className="font-semibold">No runner yet.</strong> This version keeps {title} checks and cannot run them.
        They start by themselves with one that can; until then they neither fail nor alert.
      </span>
    </p>
  )
}
