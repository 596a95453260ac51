import { startDeadline, type Deadline } from '../deadline.ts'
import type { Nameserver } from './dns-transport.ts'

/** How several nameservers are asked for one answer. */
export interface Turns<Answer> {
  nameservers: readonly Nameserver[]
  /** How often each may be asked: a datagram may get lost. */
  rounds: number
  /** Whether a nameserver is asked again that answered with trouble. */
  againAfterTrouble: boolean
  timeoutMs: number
  signal: AbortSignal
  /** Asks one for the `turn`th time, counted from 0; rejects when it gave no usable answer. */
  ask(nameserver: Nameserver, round: number, deadline: Deadline): Promise<Answer>
}

/** No nameserver gave a usable answer. `troubles` are in order. */
export class NoAnswer extends Error {
  readonly troubles: readonly unknown[]
  constructor(troubles: readonly unknown[]) {
    super('No nameserver answered')
    this.name = 'NoAnswer'
    this.troubles = troubles
  }
}

const firstWaitMs = 1000

/**
 * Asks the nameservers in turn: after 1, 2 and 4 s, and at once when one fails. Earlier questions stay open, so that a
 * slow answer still counts. Rejects with `NoAnswer`.
 */
export async function askInTurn<Answer>(turns: Turns<Answer>): Promise<Answer> {
  const over = new AbortController()
  const onAbort = () => over.abort()
  turns.signal.addEventListener('abort', onAbort, { once: true })
  if (turns.signal.aborted) over.abort()
  try {
    return await firstAnswer(turns, over.signal)
  } finally {
    turns.signal.removeEventListener('abort', onAbort)
    over.abort()
  }
}

function firstAnswer<Answer>(turns: Turns<Answer>, signal: AbortSignal): Promise<Answer> {
  const { nameservers, rounds, timeoutMs } = turns
  const endsAt = performance.now() + timeoutMs
  let waiting = Array.from({ length: rounds }, (_, round) =>
    nameservers.map((nameserver) => ({ nameserver, round })),
  ).flat()
  const troubles: unknown[] = []
  let open = 0
  let timer: NodeJS.Timeout | undefined

  return new Promise((resolve, reject) => {
    const settle = (call: () => void) => {
      clearTimeout(timer)
      waiting = []
      call()
    }
    const askNext = () => {
      const next = waiting.shift()
      if (next === undefined) return
      const { nameserver, round } = next
      open += 1
      clearTimeout(timer)
      if (waiting.length > 0) timer = setTimeout(askNext, firstWaitMs * 2 ** round)
      const deadline = startDeadline(Math.max(1, endsAt - performance.now()), signal)
      const onTrouble = (error: unknown) => {
        open -= 1
        troubles.push(error)
        if (!turns.againAfterTrouble) waiting = waiting.filter((each) => each.nameserver !== nameserver)
        if (waiting.length > 0 && !signal.aborted) askNext()
        else if (open === 0) settle(() => reject(new NoAnswer(troubles)))
      }
      turns
        .ask(nameserver, round, deadline)
        .finally(() => deadline.close())
        .then((answer) => settle(() => resolve(answer)), onTrouble)
    }
    if (nameservers.length === 0) reject(new NoAnswer(troubles))
    askNext()
  })
}
