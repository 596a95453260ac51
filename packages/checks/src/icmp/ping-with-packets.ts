import type { Deadline } from '../net/deadline.ts'
import { TargetError } from '../net/target-error.ts'
import { CannotPing, type Answer } from '../net/packets/answer.ts'
import type { PacketSender, SentPacket } from '../net/packets/packet-programs.ts'
import type { Packet } from '../net/packets/packet-program.ts'
import { firstAnswerMs, intervalMs, otherAnswersMs, packetSize, type PingOrder } from './ping-order.ts'

/** A packet whose program ended is sent again so often. */
const mostTries = 2
/** mtr-packet's own limit for an answer is longer than ours, in whole seconds. */
const timeoutSeconds = firstAnswerMs / 1000 + 2
/** Kept of the time of an attempt to hear what has arrived, in milliseconds and as a share. */
const reserve = { mostMs: 250, share: 0.1 }

interface Echo {
  packet: SentPacket | undefined
  tries: number
  answer: Answer | undefined
}

/** The echo requests of one run, one after the other, and the wait for their answers. */
class Round {
  readonly #sender: PacketSender
  readonly #packet: Packet
  readonly #echoes: Echo[]
  readonly #endsAt: number
  readonly #everyMs: number
  #next = 0
  #pace: NodeJS.Timeout | undefined
  #end: NodeJS.Timeout | undefined
  #isOver = false
  succeed: (answers: Answer[]) => void = () => undefined
  fail: (why: CannotPing) => void = () => undefined

  constructor(sender: PacketSender, { address, count }: PingOrder, deadline: Deadline) {
    this.#sender = sender
    this.#packet = { address, protocol: 'icmp', size: packetSize, timeoutSeconds }
    this.#echoes = Array.from({ length: count }, () => ({ packet: undefined, tries: 0, answer: undefined }))
    const leftMs = deadline.remainingMs()
    this.#endsAt = performance.now() + leftMs - Math.min(reserve.mostMs, leftMs * reserve.share)
    this.#everyMs = Math.min(intervalMs, leftMs / 2 / count)
  }

  start(): void {
    const echo = this.#echoes[this.#next]
    if (this.#isOver || echo === undefined) return
    this.#next += 1
    if (this.#next < this.#echoes.length) this.#pace = setTimeout(() => this.start(), this.#everyMs)
    this.#send(echo)
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#pace)
    clearTimeout(this.#end)
    for (const { packet } of this.#echoes) packet?.forget()
  }

  #send(echo: Echo): void {
    echo.tries += 1
    echo.packet = this.#sender.send(this.#packet, (answer) => this.#hear(echo, answer))
    this.#planEnd()
  }

  #hear(echo: Echo, answer: Answer | CannotPing): void {
    if (this.#isOver) return
    if (!(answer instanceof CannotPing)) {
      echo.answer = answer
      this.#planEnd()
    } else if (echo.tries < mostTries) this.#send(echo)
    else {
      this.stop()
      this.fail(answer)
    }
  }

  /** Once all are sent, waits until the last of them has had its time. */
  #planEnd(): void {
    clearTimeout(this.#end)
    if (this.#isOver || this.#next < this.#echoes.length) return
    const open = this.#echoes.filter(({ answer }) => answer === undefined)
    if (open.length === 0) return this.#finish()
    const now = performance.now()
    const rtts = this.#echoes.flatMap(({ answer }) => (answer?.kind === 'reply' ? [answer.rttMs] : []))
    const patienceMs = rtts.length === 0 ? firstAnswerMs : Math.max(otherAnswersMs, 2 * Math.max(...rtts))
    const lastSentAt = Math.max(...open.map(({ packet }) => packet?.sentAt ?? now))
    const at = Math.min(this.#endsAt, lastSentAt + patienceMs)
    this.#end = setTimeout(() => void this.#giveUp(), Math.max(0, at - now))
  }

  /** What is not answered by now is lost, unless its answer is here and not reported yet. */
  async #giveUp(): Promise<void> {
    const open = this.#echoes.filter(({ answer, packet }) => answer === undefined && packet?.sentAt !== undefined)
    const isLate = performance.now() >= this.#endsAt
    try {
      await this.#sender.reported()
    } catch (error) {
      if (!(error instanceof CannotPing)) throw error
      // A program has ended. Its packets were sent again, and have their time.
      return this.#planEnd()
    }
    if (this.#isOver) return
    for (const echo of open) echo.answer ??= { kind: 'silence' }
    if (isLate) for (const echo of this.#echoes) echo.answer ??= { kind: 'unsent', code: 'BUSY' }
    this.#planEnd()
  }

  #finish(): void {
    this.stop()
    this.succeed(this.#echoes.flatMap(({ answer }) => answer ?? []))
  }
}

/** Pings with a program that sends single packets. Rejects with `CannotPing` when it cannot. */
export async function pingWithPackets(sender: PacketSender, order: PingOrder, deadline: Deadline): Promise<Answer[]> {
  const round = new Round(sender, order, deadline)
  try {
    return await deadline.during<Answer[]>({
      start(succeed, fail) {
        round.succeed = succeed
        round.fail = fail
        round.start()
      },
      stop: () => round.stop(),
      timedOut: () => new TargetError('ping', 'ETIMEDOUT', 'mtr-packet did not say in time what it has received'),
    })
  } catch (error) {
    throw error instanceof TargetError ? new CannotPing(error.message) : error
  }
}
