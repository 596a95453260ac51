/** Milliseconds to two digits; never below 0. */
export const rounded = (ms: number): number => Math.round(Math.max(0, ms) * 100) / 100

/** Phases as they are stored, with a total that is exactly their sum: each is rounded, so their total is that of what is shown. */
export function withTotal<Name extends string>(phases: Record<Name, number>): Record<Name | 'total', number> {
  const parts = Object.entries<number>(phases).map(([name, ms]) => [name, rounded(ms)] as const)
  const total = rounded(parts.reduce((sum, [, ms]) => sum + ms, 0))
  return Object.fromEntries([...parts, ['total', total]]) as Record<Name | 'total', number>
}
