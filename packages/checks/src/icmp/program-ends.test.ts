import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { startThread } from '../thread/start-thread.ts'

/** The mtr-packet programs that this process has started, by their number. */
function programs(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return new RegExp(`^\\d+ \\(mtr-packet\\) [^Z] ${process.pid} `).test(stat)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

test('a packet program ends with the thread that started it', async () => {
  const before = new Set(programs())
  const thread = startThread(new URL('../../test-support/pinging-thread.mjs', import.meta.url))
  const [answers] = (await once(thread, 'message')) as [unknown]
  expect(answers).toEqual([{ kind: 'reply', rttMs: expect.any(Number), ttl: null }])
  const [program = 'none'] = programs().filter((pid) => !before.has(pid))
  expect(program).not.toBe('none')
  await thread.terminate()
  await vi.waitFor(() => expect(programs()).not.toContain(program), 10_000)
})
