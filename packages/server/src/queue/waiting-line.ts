export interface LineOptions<T> {
  /** True for items that left the line. They are removed when they are reached. */
  isGone: (item: T) => boolean
  /** Items of one owner wait behind each other, not beside each other. */
  ownerOf: (item: T) => string
}

/**
 * First in, first out between owners: an owner has one item in the line, and its others follow one by one, each at the
 * end. Every operation takes constant time, spread over many.
 */
export class WaitingLine<T> {
  #items: (T | undefined)[] = []
  #head = 0
  /** Further items of owners in the line. */
  readonly #behind = new Map<string, T[]>()
  readonly #options: LineOptions<T>

  constructor(options: LineOptions<T>) {
    this.#options = options
  }

  push(item: T): void {
    const owner = this.#options.ownerOf(item)
    const behind = this.#behind.get(owner)
    if (behind !== undefined) {
      behind.push(item)
      return
    }
    this.#behind.set(owner, [])
    this.#items.push(item)
  }

  /** Puts an item first, because it has waited already. */
  pushFirst(item: T): void {
    if (this.#head > 0) this.#items[--this.#head] = item
    else this.#items.unshift(item)
  }

  /** The first item that is not gone and that `accepts` takes; it stays in the line. */
  peek(accepts: (item: T) => boolean): T | undefined {
    this.#skipGone()
    for (let at = this.#head; at < this.#items.length; at++) {
      const item = this.#items[at]
      if (item !== undefined && !this.#options.isGone(item) && accepts(item)) return item
    }
    return undefined
  }

  #skipGone(): void {
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head]
      if (item !== undefined && !this.#options.isGone(item)) break
      this.#items[this.#head++] = undefined
      if (item !== undefined) this.#follow(this.#options.ownerOf(item))
    }
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
  }

  /** The next item of the owner takes its turn. */
  #follow(owner: string): void {
    const behind = this.#behind.get(owner)
    if (behind === undefined) return
    let next = behind.shift()
    while (next !== undefined && this.#options.isGone(next)) next = behind.shift()
    if (next === undefined) this.#behind.delete(owner)
    else this.#items.push(next)
  }
}
