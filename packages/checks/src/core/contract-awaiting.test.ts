import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { resultReport, workerClasses } from '@vedette/wire'
import { expectExactPart, fixtureOf, leastDefinition, missingPaths } from '../../test-support/contract.ts'
import { givenJob } from '../../test-support/jobs.ts'
import { checkTypes, runModeOf } from '../check-types.ts'
import { runJob } from '../run.ts'
import type { Observation } from './check-type.ts'
import { reportOf } from './report.ts'
import { phasesOf } from './result-view.ts'
import { scrubberFor } from './secrets/scrub.ts'
import { verdict } from './verdict.ts'

const awaiting = checkTypes.flatMap((type) => (type.awaitsRunner === true ? [[type.title, type] as const] : []))
const refusal = { phase: 'tcp', code: 'ECONNREFUSED', text: 'The connection was refused', network: true }

describe.each(awaiting)('the check type %s, which has no runner yet,', (_, type) => {
  const definition = leastDefinition(type)
  const reportOfSeen = (seen: Partial<Observation<unknown>>) => {
    const observation = { startedAt: 1, stoppedAt: 2, timingUncertaintyMs: 0, ...seen }
    const found = { observation, verdict: verdict(type, definition, observation, []), scrubber: scrubberFor([]) }
    const body = reportOf(type, definition, found)
    return resultReport.parse({ ...body, lease: '', clockOffsetMs: 0, replayed: false })
  }

  it('has no run, cannot be tried, and says how it will be run', () => {
    expect(existsSync(new URL(`../${type.path}/run.ts`, import.meta.url))).toBe(false)
    expect(type.dryRun).toBe(false)
    expect(runModeOf(type)).toBeUndefined()
    if (type.mode.kind !== 'scheduled') throw new Error('Only scheduled types have a runner')
    expect(workerClasses).toContain(type.mode.workerClass)
    expect(type.mode.timeoutMs(definition)).toBeGreaterThan(0)
    expect(type.mode.needs(definition)).toEqual(type.mode.needs(definition))
  })

  it('is refused by agents, as trouble of ours', async () => {
    const { internalError, verdict: of } = await runJob(givenJob(type.type, definition), {
      signal: new AbortController().signal,
      clock: { now: () => 0, monotonic: () => 0 },
      random: () => 0,
    })
    expect([of.outcome, internalError?.code]).toEqual(['unknown', 'UNKNOWN_CHECK_TYPE'])
  })

  it('passes when all is well, with a result that has all its view shows', () => {
    const report = reportOfSeen({ evidence: fixtureOf(type).goodEvidence })
    expect(report.verdict).toMatchObject({ outcome: 'pass', degraded: false, cause: '' })
    expect(missingPaths(type.resultView, report.result[type.resultKey ?? ''])).toEqual([])
    expectExactPart(type, report.result)
    expect(report.responseMs).not.toBeNull()
    expect(Object.keys(report.metrics)).toEqual(type.metrics.map(({ name }) => name))
    const phases = phasesOf(type.resultView).map(({ name }) => name)
    expect(type.metrics.map(({ name }) => name)).toEqual(expect.arrayContaining(phases))
  })

  it('fails with the trouble of its target, also when nothing was seen', () => {
    for (const evidence of [undefined, fixtureOf(type).goodEvidence]) {
      const report = reportOfSeen({ error: refusal, ...(evidence !== undefined && { evidence }) })
      expect(report.verdict).toMatchObject({ outcome: 'fail', cause: refusal.text })
      expectExactPart(type, report.result)
    }
    expect(reportOfSeen({}).verdict.outcome).toBe('fail')
    expect(reportOfSeen({}).verdict.cause).not.toBe('')
  })

  it('judges definitions that were stored before a field with a default existed', () => {
    const sent = fixtureOf(type).leastCheck(9)
    const evidence = fixtureOf(type).goodEvidence
    expect(type.judge(sent, evidence, undefined)).toBeUndefined()
    expect(type.thresholds(sent, evidence)).toEqual({ degraded: undefined, exceeded: undefined })
  })
})
