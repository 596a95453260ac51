import { DueHeap } from '../scheduling/agenda/heap.ts'

/** When to decide about which check again, in one heap. It has no clock. */
export class LookAgenda<Check extends { checkId: string }> {
  readonly #numbers = new Map<string, number>()
  readonly #checks: (Check | undefined)[] = []
  readonly #due: number[] = []
  readonly #free: number[] = []
  #heap = new DueHeap()

  /** Infinity when no check is planned. */
  firstDue(): number {
    return this.#heap.firstDue()
  }

  /** Adds or updates a check, to be decided by `at`. */
  put(check: Check, at: number): void {
    const number = this.#numbers.get(check.checkId) ?? this.#free.pop() ?? this.#checks.length
    this.#numbers.set(check.checkId, number)
    this.#checks[number] = check
    this.lookBy(check.checkId, at)
  }

  remove(checkId: string): void {
    const number = this.#numbers.get(checkId)
    if (number === undefined) return
    this.#heap.remove(number)
    this.#numbers.delete(checkId)
    this.#checks[number] = undefined
    this.#free.push(number)
  }

  /** Plans the check for `at`, unless it is planned earlier. False when it is unknown. */
  lookBy(checkId: string, at: number): boolean {
    const number = this.#numbers.get(checkId)
    if (number === undefined) return false
    if (this.#heap.has(number) && (this.#due[number] ?? Infinity) <= at) return true
    this.#due[number] = at
    this.#heap.set(number, at)
    return true
  }

  /** Plans all checks for `at`, unless they are planned earlier. */
  lookAtAllBy(at: number): void {
    for (const checkId of this.#numbers.keys()) this.lookBy(checkId, at)
  }

  /** Takes up to `most` checks that are due. They stay in the agenda, without a planned time. */
  takeDue(now: number, most: number): Check[] {
    const taken: Check[] = []
    while (taken.length < most && this.#heap.firstDue() <= now) {
      const number = this.#heap.firstEntry() ?? 0
      this.#heap.remove(number)
      const check = this.#checks[number]
      if (check !== undefined) taken.push(check)
    }
    return taken
  }

  clear(): void {
    this.#numbers.clear()
    this.#checks.length = 0
    this.#due.length = 0
    this.#free.length = 0
    this.#heap = new DueHeap()
  }
}
