/** Limits on response time in milliseconds; null means none. */
export interface ResponseTimeLimits {
  degradedResponseTime: number | null
  maxResponseTime: number | null
}

/** Texts for the limits that a response time exceeds. `what` begins the sentence: "Responded", "Connected". */
export function responseTimeThresholds(
  { degradedResponseTime, maxResponseTime }: ResponseTimeLimits,
  responseMs: number | undefined,
  what: string,
): { degraded: string | undefined; exceeded: string | undefined } {
  const over = (limit: number | null) =>
    limit !== null && responseMs !== undefined && responseMs > limit
      ? `${what} in ${Math.round(responseMs)} ms, over the limit of ${limit} ms`
      : undefined
  return { degraded: over(degradedResponseTime), exceeded: over(maxResponseTime) }
}
