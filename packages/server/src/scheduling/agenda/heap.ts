/**
 * Binary heap of due times over entry numbers, in typed arrays: a million entries cost 16 MB and no garbage. An entry
 * is in the heap at most once; equal due times leave in the order of their numbers.
 */
export class DueHeap {
  #due: Float64Array
  #entry: Uint32Array
  /** Position of each entry in the heap plus one; 0: not in the heap. */
  #place: Uint32Array
  #size = 0

  constructor(capacity = 1024) {
    this.#due = new Float64Array(capacity)
    this.#entry = new Uint32Array(capacity)
    this.#place = new Uint32Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  has(entry: number): boolean {
    return (this.#place[entry] ?? 0) > 0
  }

  /** Infinity when empty. */
  firstDue(): number {
    return this.#size === 0 ? Infinity : this.#dueAt(0)
  }

  /** Undefined when empty. */
  firstEntry(): number | undefined {
    return this.#size === 0 ? undefined : this.#entryAt(0)
  }

  /** Adds the entry, or moves it when it is already there. */
  set(entry: number, due: number): void {
    let at = this.#append(entry)
    this.#due[at] = due
    at = this.#up(at)
    this.#down(at)
  }

  /** Adds many entries at once in linear time. */
  setAll(entries: Iterable<{ entry: number; due: number }>): void {
    for (const { entry, due } of entries) {
      const at = this.#append(entry)
      this.#due[at] = due
    }
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#down(at)
  }

  /** False when it was not there. */
  remove(entry: number): boolean {
    const place = this.#place[entry] ?? 0
    if (place === 0) return false
    this.#place[entry] = 0
    const last = --this.#size
    const at = place - 1
    if (at === last) return true
    this.#put(at, this.#entryAt(last), this.#dueAt(last))
    this.#down(this.#up(at))
    return true
  }

  #append(entry: number): number {
    const place = this.#place[entry] ?? 0
    if (place > 0) return place - 1
    this.#reserve(entry)
    const at = this.#size++
    this.#entry[at] = entry
    this.#place[entry] = at + 1
    return at
  }

  #reserve(entry: number): void {
    const needed = Math.max(entry + 1, this.#size + 1)
    if (needed <= this.#due.length) return
    const capacity = Math.max(needed, this.#due.length * 2)
    this.#due = grown(this.#due, new Float64Array(capacity))
    this.#entry = grown(this.#entry, new Uint32Array(capacity))
    this.#place = grown(this.#place, new Uint32Array(capacity))
  }

  #dueAt(at: number): number {
    return this.#due[at] ?? Infinity
  }

  #entryAt(at: number): number {
    return this.#entry[at] ?? 0
  }

  #put(at: number, entry: number, due: number): void {
    this.#due[at] = due
    this.#entry[at] = entry
    this.#place[entry] = at + 1
  }

  #before(due: number, entry: number, at: number): boolean {
    const other = this.#dueAt(at)
    return due < other || (due === other && entry < this.#entryAt(at))
  }

  #up(start: number): number {
    const entry = this.#entryAt(start)
    const due = this.#dueAt(start)
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#before(due, entry, parent)) break
      this.#put(at, this.#entryAt(parent), this.#dueAt(parent))
      at = parent
    }
    this.#put(at, entry, due)
    return at
  }

  #down(start: number): void {
    const entry = this.#entryAt(start)
    const due = this.#dueAt(start)
    let at = start
    for (;;) {
      const left = 2 * at + 1
      if (left >= this.#size) break
      const right = left + 1
      const child = right < this.#size && this.#before(this.#dueAt(right), this.#entryAt(right), left) ? right : left
      if (this.#before(due, entry, child)) break
      this.#put(at, this.#entryAt(child), this.#dueAt(child))
      at = child
    }
    this.#put(at, entry, due)
  }
}

function grown<A extends Float64Array | Uint32Array>(from: A, to: A): A {
  to.set(from)
  return to
}
