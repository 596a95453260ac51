import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  goodbyeRequest,
  helloRequest,
  leaseRequest,
  releaseRequest,
  renewRequest,
  resultReport,
  resultsRequest,
} from './agent.ts'
import { helloResponse, jobSchema, leaseResponse, renewResponse, resultsResponse } from './agent-answers.ts'
import { claimsFromV1, jobForV1, reportFromV1 } from './agent-v1.ts'
import goodbye from './fixtures/agent-v1/goodbye.request.json' with { type: 'json' }
import hello from './fixtures/agent-v1/hello.request.json' with { type: 'json' }
import helloAnswer from './fixtures/agent-v1/hello.response.json' with { type: 'json' }
import lease from './fixtures/agent-v1/lease.request.json' with { type: 'json' }
import leaseAnswer from './fixtures/agent-v1/lease.response.json' with { type: 'json' }
import release from './fixtures/agent-v1/release.request.json' with { type: 'json' }
import renew from './fixtures/agent-v1/renew.request.json' with { type: 'json' }
import renewAnswer from './fixtures/agent-v1/renew.response.json' with { type: 'json' }
import results from './fixtures/agent-v1/results.request.json' with { type: 'json' }
import resultsAnswer from './fixtures/agent-v1/results.response.json' with { type: 'json' }

// Recorded from an agent of protocol 1. They must be readable for as long as that version is accepted: never edit them
// to make a changed schema pass.
const recorded: [string, z.ZodType, unknown][] = [
  ['hello', helloRequest, hello],
  ['hello answer', helloResponse, helloAnswer],
  ['lease', leaseRequest, lease],
  ['lease answer', leaseResponse, leaseAnswer],
  ['renew', renewRequest, renew],
  ['renew answer', renewResponse, renewAnswer],
  ['results answer', resultsResponse, resultsAnswer],
  ['release', releaseRequest, release],
  ['goodbye', goodbyeRequest, goodbye],
]

test.each(recorded)('%s of protocol 1 is understood, word for word', (_, schema, message) => {
  expect(schema.parse(message)).toEqual(message)
})

test.each(leaseAnswer.jobs)('job $attemptId is told in the words of protocol 1', ({ lane, capMs, ...job }) => {
  const now = jobSchema.parse({ ...job, workerClass: lane, timeoutMs: capMs })
  expect(jobForV1(now)).toEqual({ ...job, lane, capMs })
})

test('a job of protocol 1 has no client certificates', () => {
  const [{ lane, capMs, ...job }] = leaseAnswer.jobs as [(typeof leaseAnswer.jobs)[number]]
  const clientCertificates = [{ host: '*', cert: 'cert', key: 'key', ca: null }]
  const now = jobSchema.parse({ ...job, workerClass: lane, timeoutMs: capMs, clientCertificates })
  expect(now.clientCertificates).toEqual(clientCertificates)
  expect(jobForV1(now)).toEqual({ ...job, lane, capMs })
})

test.each(results.results)('result $# of protocol 1 is understood, word for word', ({ illness, ...report }) => {
  const read = resultsRequest.parse({ ...results, results: [reportFromV1({ ...report, illness })] })
  const statusCode = report.result.apiCheckResult?.response?.status ?? null
  expect(read.results).toEqual([{ ...report, internalError: illness, statusCode }])
})

test('the recorded results show the status codes of their answers', () => {
  const codes = results.results.map((report) => resultReport.parse(reportFromV1(report)).statusCode)
  expect(codes).toEqual([200, 503])
})

test('a result without an answer has no status code', () => {
  const [first] = results.results
  for (const result of [{}, { apiCheckResult: null }, { apiCheckResult: { response: null } }]) {
    expect(reportFromV1({ ...first, result })).toMatchObject({ statusCode: null })
  }
})

test('a report that tells its status code keeps it', () => {
  const [first] = results.results
  expect(reportFromV1({ ...first, statusCode: 503 })).toMatchObject({ statusCode: 503 })
})

test('what a lease of protocol 1 says is understood after an update', () => {
  expect(claimsFromV1({ checkId: 'a', lane: 'network' })).toEqual({ checkId: 'a', workerClass: 'network' })
})

test('a renewal without crashes is understood, as agents of the first days sent it', () => {
  const { crashes: _, ...first } = renew
  expect(renewRequest.parse(first)).toEqual(first)
})

test.each(['lease', 'verdict', 'replayed'] as const)('a result without %s is refused', (field) => {
  const rest = Object.fromEntries(Object.entries(results.results[0] ?? {}).filter(([name]) => name !== field))
  expect(Object.keys(rest).length).toBeGreaterThan(10)
  expect(resultsRequest.safeParse({ ...results, results: [reportFromV1(rest)] }).success).toBe(false)
})

test('an agent reads answers that say more than it knows', () => {
  expect(helloResponse.parse({ ...helloAnswer, motd: 'hello' })).toEqual(helloAnswer)
})
