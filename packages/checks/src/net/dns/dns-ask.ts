import { askNameserver, NameserverTrouble, type DnsAnswer, type DnsQuestion, type Nameserver } from './dns-query.ts'
import { lackOf } from '../own-resources.ts'
import { formatLimit, HostTrouble, TargetError } from '../target-error.ts'

export interface AskOptions {
  nameservers: readonly Nameserver[]
  random: () => number
  timeoutMs: number
  signal: AbortSignal
}

const rounds = 3
const firstWaitMs = 1000
const decisive = new Set(['NOERROR', 'NXDOMAIN'])

/**
 * Asks the nameservers in turn: after 1, 2 and 4 s, and at once when one fails. Earlier questions stay open, so that a
 * slow answer still counts.
 */
export async function askAny(question: DnsQuestion, options: AskOptions): Promise<DnsAnswer> {
  const over = new AbortController()
  const onAbort = () => over.abort()
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) over.abort()
  try {
    return await askInTurn(question, options, over.signal)
  } finally {
    options.signal.removeEventListener('abort', onAbort)
    over.abort()
  }
}

function askInTurn(question: DnsQuestion, options: AskOptions, signal: AbortSignal): Promise<DnsAnswer> {
  const { nameservers, random, timeoutMs } = options
  const endsAt = performance.now() + timeoutMs
  const most = nameservers.length * rounds
  let asked = 0
  let open = 0
  let timer: NodeJS.Timeout | undefined
  let trouble = new NameserverTrouble('no nameserver is set')

  return new Promise((resolve, reject) => {
    const settle = (call: () => void) => {
      clearTimeout(timer)
      asked = most
      call()
    }
    const onTrouble = (error: NameserverTrouble) => {
      open -= 1
      // An error answer is reported in preference to a time-out.
      if (!error.timedOut || trouble.timedOut || asked === 1) trouble = error
      clearTimeout(timer)
      if (asked < most && !signal.aborted) askNext()
      else if (open === 0) settle(() => reject(failure(question, trouble, timeoutMs)))
    }
    const askNext = () => {
      const nameserver = nameservers[asked % nameservers.length]
      if (nameserver === undefined) return settle(() => reject(failure(question, trouble, timeoutMs)))
      const waitMs = firstWaitMs * 2 ** Math.floor(asked / nameservers.length)
      asked += 1
      open += 1
      if (asked < most) timer = setTimeout(askNext, waitMs)
      askNameserver({ nameserver, question, random, timeoutMs: Math.max(1, endsAt - performance.now()), signal }).then(
        (answer) =>
          decisive.has(answer.rcode)
            ? settle(() => resolve(answer))
            : onTrouble(new NameserverTrouble(`nameserver ${nameserver.address} answered ${answer.rcode}`)),
        (error: unknown) =>
          onTrouble(error instanceof NameserverTrouble ? error : new NameserverTrouble(String(error))),
      )
    }
    askNext()
  })
}

function failure({ name }: DnsQuestion, trouble: NameserverTrouble, timeoutMs: number): TargetError | HostTrouble {
  const lacking = lackOf(trouble.code)
  if (lacking !== undefined) {
    return new HostTrouble('NO_RESOURCES', `${name} could not be looked up: ${lacking} (${trouble.code})`)
  }
  if (trouble.timedOut) {
    return new TargetError(
      'dns',
      'DNS_TIMEOUT',
      `The DNS look-up of ${name} had no answer within ${formatLimit(timeoutMs)}`,
    )
  }
  return new TargetError('dns', 'DNS_SERVER_FAILURE', `The DNS look-up of ${name} failed: ${trouble.message}`)
}
