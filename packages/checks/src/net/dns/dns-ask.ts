import { askNameserver, type DnsAnswer, type DnsQuestion } from './dns-query.ts'
import { NameserverTrouble, type Nameserver } from './dns-transport.ts'
import { askInTurn, NoAnswer } from './dns-turns.ts'
import { lackOf } from '../own-resources.ts'
import { formatLimit, HostTrouble, TargetError } from '../target-error.ts'

export interface AskOptions {
  nameservers: readonly Nameserver[]
  random: () => number
  timeoutMs: number
  signal: AbortSignal
}

const rounds = 3
const decisive = new Set(['NOERROR', 'NXDOMAIN'])

/** Asks the nameservers in turn, for an answer that says whether the name exists. */
export async function askAny(question: DnsQuestion, options: AskOptions): Promise<DnsAnswer> {
  const { random, ...of } = options
  try {
    return await askInTurn({
      ...of,
      rounds,
      againAfterTrouble: true,
      async ask(nameserver, round, deadline) {
        // Old name servers and some firewalls drop what has EDNS.
        const edns = round < rounds - 1
        const answer = await askNameserver({ nameserver, question, random, edns }, deadline)
        if (decisive.has(answer.rcode)) return answer
        throw new NameserverTrouble(`nameserver ${nameserver.address} answered ${answer.rcode}`)
      },
    })
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw failure(question, mostTelling(error.troubles), options.timeoutMs)
  }
}

/** An error answer is reported in preference to a time-out. */
function mostTelling(troubles: readonly unknown[]): NameserverTrouble {
  const all = troubles.map((error) =>
    error instanceof NameserverTrouble ? error : new NameserverTrouble(String(error)),
  )
  return all.findLast(({ timedOut }) => !timedOut) ?? all[0] ?? new NameserverTrouble('no nameserver is set')
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
      `the look-up of ${name} had no answer within ${formatLimit(timeoutMs)}`,
    )
  }
  return new TargetError('dns', 'DNS_SERVER_FAILURE', `the look-up of ${name} failed: ${trouble.message}`)
}
