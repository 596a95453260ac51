/** First in, first out. Items are removed from the middle on reading: `peek` skips those for which `isGone` is true. */
export class WaitingLine<T> {
  #items: (T | undefined)[] = []
  #head = 0
  readonly #isGone: (item: T) => boolean

  constructor(isGone: (item: T) => boolean) {
    this.#isGone = isGone
  }

  push(item: T): void {
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
      if (item !== undefined && !this.#isGone(item) && accepts(item)) return item
    }
    return undefined
  }

  #skipGone(): void {
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head]
      if (item !== undefined && !this.#isGone(item)) break
      this.#items[this.#head++] = undefined
    }
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
  }
}
