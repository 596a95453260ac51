import { execFile } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** Runs the script against a server that answers like this. */
async function run(answer: RequestListener): Promise<{ code: number; output: string; errors: string }> {
  const opened = createServer(answer)
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(opened.address() as AddressInfo).port}`
  return new Promise((resolve) => {
    const args = ['scripts/canary.mjs', '--url', url, '--key', 'a-key']
    const child = execFile(process.execPath, args, (_error, output, errors) =>
      resolve({ code: child.exitCode ?? -1, output, errors }),
    )
  })
}

const step = { name: 'schedule', what: 'the run was due', at: new Date(1000).toISOString() }

test('prints each step and ends well when the notification was accepted', async () => {
  const { code, output } = await run((_, response) =>
    response
      .writeHead(202)
      .end(JSON.stringify({ checkRunId: 1000, outcome: 'accepted', failure: null, steps: [step] })),
  )
  expect([code, output]).toEqual([0, expect.stringContaining('It went the whole road.') as string])
})

test.each<[string, RequestListener, string]>([
  [
    'a page',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    'answered 200 with text/html instead of JSON; pass the address of Vedette with --url',
  ],
  ['nothing', (_, response) => response.writeHead(502).end(), 'answered 502 without a body'],
  [
    'half of an answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"checkRunId"')
      setTimeout(() => response.destroy(), 20)
    },
    'broke off its answer',
  ],
  ['other JSON', (_, response) => response.end('[]'), 'answered 200 with something else than a canary'],
  [
    'a refusal',
    (_, response) => response.writeHead(403).end('{"message": "This needs the role admin; yours is read."}'),
    'answered 403: This needs the role admin',
  ],
])('says in one line that %s was answered', async (_name, answer, expected) => {
  const { code, errors } = await run(answer)
  expect(code).toBe(1)
  expect(errors).toMatch(/^canary: [^\n]+\n$/)
  expect(errors).toContain(expected)
})
