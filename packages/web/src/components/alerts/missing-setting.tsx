import { TriangleAlert } from 'lucide-react'

/** Which setting of the installation a channel cannot send without. */
export function MissingSetting({ text }: { text: string }) {
  return (
    <p className="mt-1 flex gap-2 rounded-md bg-degraded-wash px-2.5 py-1.5 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-degraded" />
      <span className="min-w-0 break-words">{text}</span>
    </p>
  )
}
