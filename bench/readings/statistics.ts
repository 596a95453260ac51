export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value at a share of the sorted values (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN
}

export const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0)

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
