import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  agentPaths,
  agentProtocolVersion,
  goodbyeRequest,
  helloRequest,
  leaseRequest,
  releaseRequest,
  renewRequest,
  resultsRequest,
} from './agent.ts'
import { helloResponse, jobSchema, leaseResponse, renewResponse, resultsResponse } from './agent-answers.ts'
import { reportFromV1 } from './agent-v1.ts'
import { diagnosticsRequest } from './diagnostics.ts'
import diagnostics from './fixtures/agent-v2/diagnostics.request.json' with { type: 'json' }
import goodbye from './fixtures/agent-v2/goodbye.request.json' with { type: 'json' }
import hello from './fixtures/agent-v2/hello.request.json' with { type: 'json' }
import helloAnswer from './fixtures/agent-v2/hello.response.json' with { type: 'json' }
import lease from './fixtures/agent-v2/lease.request.json' with { type: 'json' }
import leaseAnswer from './fixtures/agent-v2/lease.response.json' with { type: 'json' }
import release from './fixtures/agent-v2/release.request.json' with { type: 'json' }
import renew from './fixtures/agent-v2/renew.request.json' with { type: 'json' }
import renewAnswer from './fixtures/agent-v2/renew.response.json' with { type: 'json' }
import results from './fixtures/agent-v2/results.request.json' with { type: 'json' }
import resultsAnswer from './fixtures/agent-v2/results.response.json' with { type: 'json' }

// Recorded between an agent and a server of protocol 2; only the leases are replaced by names. They must be readable for as
// long as that version is accepted: never edit them to make a changed schema pass.
const recorded: [string, z.ZodType, unknown][] = [
  ['hello', helloRequest, hello],
  ['hello answer', helloResponse, helloAnswer],
  ['lease', leaseRequest, lease],
  ['lease answer', leaseResponse, leaseAnswer],
  ['renew', renewRequest, renew],
  ['renew answer', renewResponse, renewAnswer],
  ['results', resultsRequest, results],
  ['results answer', resultsResponse, resultsAnswer],
  ['diagnostics', diagnosticsRequest, diagnostics],
  ['release', releaseRequest, release],
  ['goodbye', goodbyeRequest, goodbye],
]

test.each(recorded)('%s of protocol 2 is understood, word for word', (_, schema, message) => {
  expect(schema.parse(message)).toEqual(message)
})

test('protocol 2 is the one spoken now, under its own paths', () => {
  expect([hello.protocol, helloAnswer.protocol]).toEqual([agentProtocolVersion, agentProtocolVersion])
  expect(agentPaths.results).toBe(`/agent/v${agentProtocolVersion}/results`)
})

test.each(results.results)('result $# of protocol 2 is not taken for one of protocol 1', (report) => {
  expect(reportFromV1(report)).toEqual(report)
})

test.each(leaseAnswer.jobs)('job $attemptId of protocol 2 is understood, word for word', (job) => {
  expect(jobSchema.parse(job)).toEqual(job)
})

test.each(results.results)('the lease of result $# names a run of the lease answer', ({ lease: token }) => {
  expect(leaseAnswer.jobs.map((job) => job.lease)).toContain(token)
})

test.each(['startedAt', 'verdict', 'result'] as const)('a result without %s is refused', (field) => {
  const { [field]: _, ...rest } = results.results[0]!
  expect(resultsRequest.safeParse({ ...results, results: [rest] }).success).toBe(false)
})
