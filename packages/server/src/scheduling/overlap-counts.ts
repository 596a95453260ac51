interface Batch {
  /** The watermark of its transaction; NaN when an earlier one had the same. */
  watermark: number
  counts: Map<string, number>
}

/** Batches remembered while no transaction succeeds: the oldest become one. */
const mostBatches = 100

/**
 * Counts overlaps per check until they are stored. A transaction that failed may have been stored all the same, when
 * the answer to its COMMIT was lost: the watermark that is stored with the counts says so.
 */
export class OverlapCounts {
  /** Of the next transaction. */
  #counts = new Map<string, number>()
  /** Of transactions that are not known to be stored, oldest first. */
  #batches: Batch[] = []
  #lastWatermark = NaN

  add(checkId: string, count = 1): void {
    this.#counts.set(checkId, (this.#counts.get(checkId) ?? 0) + count)
  }

  clear(): void {
    this.#counts.clear()
    this.#batches = []
  }

  /** Whether nothing is counted that may not be stored. */
  get isEmpty(): boolean {
    return this.#counts.size === 0 && this.#batches.every(({ counts }) => counts.size === 0)
  }

  /** A transaction that stores this watermark begins. */
  begin(watermark: number): void {
    this.#batches.push({ watermark: watermark === this.#lastWatermark ? NaN : watermark, counts: this.#counts })
    this.#counts = new Map()
    this.#lastWatermark = watermark
    const [first, second] = this.#batches
    if (this.#batches.length > mostBatches && first && second)
      this.#batches.splice(0, 2, { watermark: second.watermark, counts: sumOf([first, second]) })
  }

  /** What it has to count, when `stored` is the watermark that it finds. */
  owed(stored: number | undefined): ReadonlyMap<string, number> {
    const storedTo = this.#batches.findLastIndex(({ watermark }) => watermark === stored)
    return sumOf(this.#batches.slice(storedTo + 1))
  }

  /** It succeeded, but for what it left to the next one. */
  stored(left: ReadonlyMap<string, number>): void {
    this.#batches = []
    for (const [checkId, count] of left) this.add(checkId, count)
  }
}

function sumOf(batches: readonly Batch[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const { counts } of batches)
    for (const [checkId, count] of counts) sum.set(checkId, (sum.get(checkId) ?? 0) + count)
  return sum
}
