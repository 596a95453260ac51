import type { Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { drip, hostileTargets, pour } from '../../test-support/hostile.ts'
import { givenJob } from '../../test-support/jobs.ts'

const targets = hostileTargets()
afterEach(() => targets.closeAll())

const kept = 64 * 1024
/** What the system may hold between two sockets of this machine, besides what was read. */
const buffered = 16 * 1024 * 1024

interface Row {
  act: (socket: Socket) => void
  says: RegExp
  /** The code of the error; undefined where the target answered and the assertion fails. */
  code?: string
  data?: string
}

/** A check that expects a greeting that none of these targets gives. */
const jobAt = (port: number, data: string | undefined) =>
  givenJob('TCP', {
    maxResponseTime: 300,
    request: {
      hostname: '127.0.0.1',
      port,
      ...(data !== undefined && { data }),
      assertions: [{ source: 'RESPONSE_DATA', comparison: 'CONTAINS', target: '220 ready' }],
    },
  })

const rows: Record<string, Row> = {
  'pours text': { act: (socket) => pour(socket, Buffer.alloc(65_536, 'x')), says: /to contain 220 ready, got x+/ },
  'pours bytes that are no text': { act: (socket) => pour(socket, Buffer.alloc(65_536, 0xff)), says: /220 ready/ },
  'pours NUL': { act: (socket) => pour(socket, Buffer.alloc(65_536)), says: /220 ready/ },
  'sends random bytes and closes': { act: (socket) => socket.end(randomBytes(5000)), says: /220 ready/ },
  'says nothing': { act: () => undefined, says: /to contain 220 ready/ },
  'drips without end': { act: (socket) => drip(socket, '.'), says: /to contain 220 ready, got \.+/ },
  'closes at once': { act: (socket) => void socket.end(), says: /to contain 220 ready/ },
  'resets at once': {
    act: (socket) => void socket.resetAndDestroy(),
    says: /reset the connection( after accepting it)?|closed the connection at once/,
    code: 'ECONNRESET',
  },
  'resets when it is spoken to': {
    act: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    says: /reset the connection after accepting it/,
    code: 'ECONNRESET',
    data: 'EHLO me',
  },
  'never reads what it is sent': {
    act: (socket) => void socket.pause(),
    says: /to contain 220 ready/,
    data: 'x'.repeat(65_536),
  },
}

describe('a target of a TCP check that', () => {
  it.each(Object.entries(rows))('%s is a failure that says so', async (_, { act, says, code, data }) => {
    const report = await targets.survive(jobAt(await targets.listen(act), data))
    expect(report.verdict.cause).toMatch(says)
    expect(report.error?.code).toBe(code)
    expect(targets.sentBytes()).toBeLessThan(kept + buffered)
    expect(JSON.stringify(report.result).length).toBeLessThan(2 * kept)
  })
})
