import type { Definition } from './check-type.ts'

/** The two limits in words when the time is over them. `what` begins the sentence: "Responded", "Connected". */
export function responseTimeThresholds(
  definition: Definition,
  responseMs: number | undefined,
  what: string,
): { degraded: string | undefined; exceeded: string | undefined } {
  const over = (limit: unknown) =>
    typeof limit === 'number' && responseMs !== undefined && responseMs > limit
      ? `${what} in ${Math.round(responseMs)} ms, limit ${limit} ms`
      : undefined
  return { degraded: over(definition.degradedResponseTime), exceeded: over(definition.maxResponseTime) }
}
