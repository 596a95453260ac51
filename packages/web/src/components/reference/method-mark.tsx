const tones: Record<string, string> = {
  GET: 'bg-accent-wash text-accent',
  POST: 'bg-pass-wash text-pass',
  PUT: 'bg-degraded-wash text-degraded',
  PATCH: 'bg-degraded-wash text-degraded',
  DELETE: 'bg-fail-wash text-fail',
}

/** The method of a call, always of the same width so that what follows lines up. */
export function MethodMark({ method }: { method: string }) {
  return (
    <span
      className={`inline-block w-15 shrink-0 rounded-sm py-0.5 text-center font-mono text-xs font-semibold ${tones[method] ?? 'bg-sunken text-ink-soft'}`}
    >
      {method}
    </span>
  )
}
