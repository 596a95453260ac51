/** Smaller pieces are copied together: each as an object of its own would weigh many times what it holds. */
const smallBytes = 4096
const blockBytes = 65_536

/** Bytes that arrive in pieces. What is kept weighs little more than the bytes, however small the pieces are. */
export class Pieces {
  readonly #kept: Buffer[] = []
  #block: Buffer | undefined
  #used = 0

  add(piece: Buffer): void {
    if (piece.length >= smallBytes) {
      this.#closeBlock()
      this.#kept.push(piece)
      return
    }
    if (this.#block === undefined || this.#used + piece.length > blockBytes) this.#openBlock()
    this.#used += piece.copy(this.#block as Buffer, this.#used)
  }

  /** How many objects hold the bytes. */
  get count(): number {
    return this.#kept.length + (this.#block === undefined ? 0 : 1)
  }

  /** All bytes, in order. */
  whole(): Buffer {
    this.#closeBlock()
    const [only] = this.#kept
    return this.#kept.length === 1 && only !== undefined ? only : Buffer.concat(this.#kept)
  }

  #openBlock(): void {
    this.#closeBlock()
    this.#block = Buffer.allocUnsafeSlow(blockBytes)
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#kept.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
