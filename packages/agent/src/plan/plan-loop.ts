import { plannedCheck, type Clock, type PlannedCheck } from '@vedette/wire'
import type { Log } from '../log.ts'
import type { Connection, Session } from '../protocol/connection.ts'
import { asProblem } from '../protocol/connection.ts'
import type { PlanPart, ProtocolClient } from '../protocol/protocol-client.ts'
import { ProtocolProblem } from '../protocol/protocol-problem.ts'
import { sleep } from '../sleep.ts'
import type { Plan } from './plan.ts'

/** A changed check is in the plan after this at the latest. */
const askEveryMs = 30_000
/** A server that sends more has no end. */
const mostParts = 1000

export interface PlanLoop {
  agentId: string
  /** The key to which contents are sealed. */
  publicKey: string
  client: Pick<ProtocolClient, 'plan'>
  connection: Pick<Connection, 'ready'>
  clock: Clock
  log: Log
  signal: AbortSignal
  current(): Plan | undefined
  replace(plan: Plan | undefined): void
}

/** Keeps the plan as new as the server's, until the signal aborts. */
export async function followPlan(loop: PlanLoop): Promise<void> {
  const { connection, clock, log, signal } = loop
  while (!signal.aborted) {
    const session = await connection.ready(signal)
    if (session === undefined) return
    try {
      loop.replace(await newPlan(loop, session))
    } catch (error) {
      const { kind, message } = asProblem(error)
      log.debug({ problem: message }, 'no plan')
      // A server of an older version has no plans. Other trouble is noticed by the calls that must not fail.
      if (kind === 'rejected') loop.replace(undefined)
    }
    await sleep(clock, askEveryMs, signal)
  }
}

/** All parts of the plan; the one there is when it has not changed. */
async function newPlan(loop: PlanLoop, { ended }: Session): Promise<Plan | undefined> {
  const known = loop.current()
  const checks: PlannedCheck[] = []
  let first: PlanPart | undefined
  let after: string | undefined
  for (let parts = 0; parts < mostParts; parts++) {
    const part = await ask(loop, ended, first === undefined ? { version: known?.version } : { after })
    if (part === null) return undefined
    if (known !== undefined && part.unchanged) return { ...known, share: part.share }
    if (first !== undefined && part.version !== first.version)
      return changedMeanwhile(part, [...checks, ...checksAfter(known, after)])
    first ??= part
    checks.push(...readChecks(loop, part))
    if (part.next === null) return planOf(first, checks)
    after = part.next
  }
  throw new ProtocolProblem('away', `the plan has more than ${mostParts} parts`)
}

/** It changed between two parts: what was not read yet stays as it was known, and the next look reads the whole. */
const changedMeanwhile = (part: PlanPart, checks: PlannedCheck[]): Plan => ({ ...planOf(part, checks), version: '' })

const checksAfter = (known: Plan | undefined, after = ''): PlannedCheck[] =>
  (known?.checks ?? []).filter(({ checkId }) => checkId > after)

const planOf = ({ version, share }: PlanPart, checks: PlannedCheck[]): Plan => ({ version, share, checks })

const ask = (
  { client, agentId, publicKey, signal }: PlanLoop,
  ended: AbortSignal,
  more: { version?: string | undefined; after?: string | undefined },
) => client.plan({ agentId, publicKey, ...more }, [signal, ended])

function readChecks({ log }: PlanLoop, part: PlanPart): PlannedCheck[] {
  return part.checks.flatMap((value) => {
    const read = plannedCheck.safeParse(value)
    if (!read.success) log.error(`a planned check cannot be read: ${read.error.message}`)
    return read.data ?? []
  })
}
