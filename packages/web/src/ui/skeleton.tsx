/** Stands where content is being read, as high as the content will be. `label` is read out. */
export function Skeleton({ label, lines = 3, className = '' }: { label: string; lines?: number; className?: string }) {
  return (
    <div role="status" aria-label={label} className={`flex flex-col gap-3 ${className}`}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="h-4 animate-pulse rounded-md bg-sunken"
          style={{ width: `${[100, 82, 91, 68][line % 4]}%` }}
        />
      ))}
    </div>
  )
}
