import { CannotPing, type Answer } from './answer.ts'
import { answerOfLine, readPacketLine, type PacketLine } from './packet-lines.ts'
import { endOf, startProgram, type Command, type Program } from './start-program.ts'

/** mtr-packet takes 1024 packets that wait for their answer. */
const mostWaiting = 900
/** How long it may take to answer a question that needs no packet, in milliseconds. */
const patienceMs = 5000
/** A limit that is over by so much too soon was over because the clock was set, in milliseconds. */
const early = 1000
const longestLine = 4096
/** Questions are numbered, and mtr-packet reads a number of 32 bits. */
const lastToken = 999_999_999
const headers = { 4: 20, 6: 40 } as const

/** A packet that asks for an answer: an echo request, or the first packet of a TCP connection. */
export interface Packet {
  address: string
  protocol: 'icmp' | 'tcp'
  /** Of TCP. */
  port?: number
  /** Routers that it may pass; as many as usual where nothing is said. */
  ttl?: number
  /** Bytes with the ICMP header; as mtr-packet likes where nothing is said. */
  size?: number
  /** How long it waits for an answer, in whole seconds. */
  timeoutSeconds: number
}

/** How a question for this packet is written, without its number. */
function orderOf({ address, protocol, port, ttl, size, timeoutSeconds }: Packet): string {
  const version = address.includes(':') ? 6 : 4
  const options = [
    ...(port === undefined ? [] : [`port ${port}`]),
    ...(ttl === undefined ? [] : [`ttl ${ttl}`]),
    ...(size === undefined ? [] : [`size ${size + headers[version]}`]),
  ]
  return ['send-probe', `ip-${version}`, address, `protocol ${protocol}`, ...options, `timeout ${timeoutSeconds}`].join(
    ' ',
  )
}

interface Question {
  hear(line: PacketLine): boolean
  lose(why: CannotPing): void
}

/** A long-lived mtr-packet: it sends single packets for many runs and writes a line for each answer. */
export class PacketProgram {
  readonly #program: Program
  readonly #questions = new Map<number, Question>()
  readonly #onEnd: (why: CannotPing) => void
  readonly #patienceMs: number
  #token = 0
  #text = ''
  #ended: CannotPing | undefined

  /** `onEnd` is called once, whatever ends it. */
  constructor(command: Command, onEnd: (why: CannotPing) => void, timeToAnswerMs = patienceMs) {
    this.#onEnd = onEnd
    this.#patienceMs = timeToAnswerMs
    this.#program = startProgram(command, () => this.#end(endOf(this.#program)))
    this.#program.stdout.setEncoding('latin1').on('data', (text: string) => this.#hear(text))
    // One that does not work at all is found out before its packets are missed.
    this.reported().catch(() => undefined)
  }

  get hasRoom(): boolean {
    return this.#ended === undefined && this.#questions.size < mostWaiting
  }

  /** Whether it has answered anything yet. */
  hasAnswered = false

  /** Sends a packet. `settle` is called once, unless the returned function is called before. */
  send(packet: Packet, settle: (answer: Answer | CannotPing) => void): () => void {
    const sentAt = performance.now()
    const { address, timeoutSeconds } = packet
    let wanted = true
    const settleOnce = (answer: Answer | CannotPing) => {
      if (wanted) settle(answer)
      wanted = false
    }
    this.#ask(orderOf(packet), {
      hear: (line) => {
        const sinceMs = performance.now() - sentAt
        const answer = answerOfLine(line, address, sinceMs)
        if (answer?.kind === 'silence' && sinceMs < timeoutSeconds * 1000 - early) {
          settleOnce(new CannotPing('the clock of this machine was set while a packet was under way'))
        } else if (answer !== undefined) settleOnce(answer)
        return answer !== undefined
      },
      lose: settleOnce,
    })
    return () => (wanted = false)
  }

  /** Resolves when all answers that came until now are reported. A program that does not say so is ended. */
  async reported(): Promise<void> {
    await this.supports('send-probe')
  }

  /** Whether it is able to do what it calls by this name. */
  supports(feature: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      // It keeps the process alive, as whoever asks waits for it: an agent that starts has nothing else that does.
      const timer = setTimeout(
        // After a stall of this thread timers come before the lines that arrived meanwhile.
        () => setImmediate(() => this.#end(new CannotPing('mtr-packet does not answer any more'))),
        this.#patienceMs,
      )
      this.#ask(`check-support feature ${feature}`, {
        hear({ word, rest }) {
          const [, answer] = rest
          // Every one that works sends packets.
          if (word !== 'feature-support' || (answer !== 'ok' && feature === 'send-probe')) return false
          clearTimeout(timer)
          resolve(answer === 'ok')
          return true
        },
        lose(why) {
          clearTimeout(timer)
          reject(why)
        },
      })
    })
  }

  /** Ends it; nobody uses it any more. */
  close(): void {
    this.#end(new CannotPing('mtr-packet is not used any more'))
  }

  #ask(text: string, question: Question): void {
    if (this.#ended !== undefined) return question.lose(this.#ended)
    this.#token = (this.#token % lastToken) + 1
    this.#questions.set(this.#token, question)
    this.#program.stdin.write(`${this.#token} ${text}\n`)
  }

  #hear(text: string): void {
    const lines = `${this.#text}${text}`.split('\n')
    this.#text = lines.pop() ?? ''
    if (this.#text.length > longestLine) lines.push(this.#text)
    for (const each of lines) {
      if (this.#ended !== undefined) return
      const line = readPacketLine(each)
      const question = line && this.#questions.get(line.token)
      if (line !== undefined && question?.hear(line)) {
        this.hasAnswered = true
        this.#questions.delete(line.token)
      } else {
        this.#end(new CannotPing(`mtr-packet wrote what is no answer: ${JSON.stringify(each.slice(0, 100))}`))
      }
    }
  }

  /** Ends the program, or notes that it has ended. */
  #end(why: CannotPing): void {
    if (this.#ended !== undefined) return
    this.#ended = why
    this.#program.kill('SIGKILL')
    this.#onEnd(why)
    for (const question of this.#questions.values()) question.lose(why)
    this.#questions.clear()
  }
}
