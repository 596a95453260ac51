import type { Clock } from '@vedette/wire'
import type { Trouble } from '../../trouble.ts'
import type { OpenTrouble } from './system-alert.ts'

export interface TroubleWatchOptions {
  clock: Clock
  /** How long a trouble lasts before it is alerted, and is gone before its end is. */
  alertedAfterMs: number
  overAfterMs: number
}

/** What is about to be told anyway within this time is told together with what is told now. */
const togetherMs = 30_000

interface Watched extends OpenTrouble {
  /** Monotonic time since which it has been known to be over. */
  goneSince: number | undefined
}

/** Decides when a trouble has lasted long enough to be alerted, and when an alerted one is over. */
export class TroubleWatch {
  readonly #options: TroubleWatchOptions
  /** Alerted troubles by key; undefined until they are known. */
  #open: Map<string, Watched> | undefined
  /** Monotonic time since which troubles that are not alerted have been seen. */
  readonly #since = new Map<string, number>()

  constructor(options: TroubleWatchOptions) {
    this.#options = options
  }

  get isKnown(): boolean {
    return this.#open !== undefined
  }

  open(): OpenTrouble[] {
    return [...(this.#open?.values() ?? [])]
  }

  /** What is alerted, as the database has it. */
  setOpen(troubles: readonly OpenTrouble[]): void {
    const goneSince = ({ id, trouble }: OpenTrouble) => {
      const known = this.#open?.get(trouble.key)
      return known?.id === id ? known.goneSince : undefined
    }
    this.#open = new Map(troubles.map((one) => [one.trouble.key, { ...one, goneSince: goneSince(one) }]))
  }

  /** Troubles to be alerted now, and alerted ones whose end is to be told, in the words of their end. */
  look(
    troubles: readonly Trouble[],
    endOf: (trouble: Trouble) => string | undefined,
  ): { raised: Trouble[]; ended: OpenTrouble[] } {
    const seen = new Map(troubles.map((trouble) => [trouble.key, trouble]))
    return { ended: this.#ended(seen, endOf), raised: this.#raised(seen) }
  }

  opened(opens: readonly OpenTrouble[]): void {
    for (const one of opens) {
      this.#open?.set(one.trouble.key, { ...one, goneSince: undefined })
      this.#since.delete(one.trouble.key)
    }
  }

  ended(opens: readonly OpenTrouble[]): void {
    for (const { trouble } of opens) this.#open?.delete(trouble.key)
  }

  /** What was seen so far counts no longer. */
  reset(): void {
    for (const watched of this.#open?.values() ?? []) watched.goneSince = undefined
    this.#since.clear()
  }

  #ended(seen: ReadonlyMap<string, Trouble>, endOf: (trouble: Trouble) => string | undefined): OpenTrouble[] {
    const { clock, overAfterMs } = this.#options
    const now = clock.monotonic()
    const gone: { open: OpenTrouble; forMs: number }[] = []
    for (const watched of this.#open?.values() ?? []) {
      const over = seen.has(watched.trouble.key) ? undefined : endOf(watched.trouble)
      watched.goneSince = over === undefined ? undefined : (watched.goneSince ?? now)
      if (over === undefined || watched.goneSince === undefined) continue
      const open = { id: watched.id, trouble: { ...watched.trouble, over } }
      gone.push({ open, forMs: now - watched.goneSince })
    }
    if (!gone.some(({ forMs }) => forMs >= overAfterMs)) return []
    return gone.filter(({ forMs }) => forMs >= overAfterMs - togetherMs).map(({ open }) => open)
  }

  #raised(seen: ReadonlyMap<string, Trouble>): Trouble[] {
    const { clock, alertedAfterMs } = this.#options
    const now = clock.monotonic()
    for (const key of this.#since.keys()) if (!seen.has(key)) this.#since.delete(key)
    const fresh = [...seen.values()].filter(({ key }) => this.#open?.has(key) !== true)
    for (const { key } of fresh) this.#since.set(key, this.#since.get(key) ?? now)
    const ageOf = ({ key }: Trouble) => now - (this.#since.get(key) ?? now)
    const codes = new Set(fresh.filter((one) => ageOf(one) >= alertedAfterMs).map(({ code }) => code))
    return fresh.filter((one) => codes.has(one.code) && ageOf(one) >= alertedAfterMs - togetherMs)
  }
}
