import { describe, expect, it } from 'vitest'
import { groupsOf, readThreads, threadsBetween } from './threads.ts'

const node = '/usr/bin/node server.js'
const threads = (...names: string[]) => names.map((name, at) => ({ tid: 100 + at, name }))
const never = () => false

describe('the group of a thread', () => {
  it('follows from its name where Node gives names', () => {
    const named = threads('node', 'DelayedTaskSche', 'V8Worker', 'SignalInspector', 'libuv-worker', 'WorkerThread')
    expect(groupsOf(named, node, never)).toEqual([
      'main thread',
      'V8 helpers',
      'V8 helpers',
      'V8 helpers',
      'libuv pool',
      'worker threads',
    ])
  })

  it('follows from the order in which threads start, and from whether they poll, where all have one name', () => {
    const nameless = threads(...Array.from({ length: 12 }, () => 'node'))
    const groups = groupsOf(nameless, node, (tid) => tid === 100 || tid === 101 || tid === 111)
    expect(groups).toEqual([
      'main thread',
      ...Array.from({ length: 6 }, () => 'V8 helpers'),
      ...Array.from({ length: 4 }, () => 'libuv pool'),
      'worker threads',
    ])
  })

  it('knows of a pool of V8 of another size', () => {
    const nameless = threads(...Array.from({ length: 5 }, () => 'node'))
    const groups = groupsOf(nameless, '/usr/bin/node --v8-pool-size=1 server.js', (tid) => tid === 104)
    expect(groups).toEqual(['main thread', 'V8 helpers', 'V8 helpers', 'V8 helpers', 'worker threads'])
  })

  it('is not told apart in programs other than Node', () => {
    expect(groupsOf(threads('gatus', 'gatus'), '/opt/bin/gatus', never)).toEqual(['all threads', 'all threads'])
  })
})

describe('threads between two readings', () => {
  const reading = (tid: number, cpuMs: number, wakeUps: number) => {
    return { pid: 1, tid, name: 'node', waitsIn: '0', startedAt: 5, cpuMs, wakeUps }
  }

  it('have used the difference, and all they have where they started in between', () => {
    const between = threadsBetween([reading(1, 10, 3), reading(2, 5, 1)], [reading(1, 12, 7), reading(3, 4, 2)])
    expect(between).toEqual([reading(1, 2, 4), reading(3, 4, 2)])
  })
})

describe.runIf(process.platform === 'linux')('the threads of a process', () => {
  it('are read with their CPU, the main thread first', () => {
    const own = readThreads(process.pid).filter(({ pid }) => pid === process.pid)
    expect(own[0]?.tid).toBe(process.pid)
    expect(own[0]?.cpuMs).toBeGreaterThan(0)
    expect(own[0]?.wakeUps).toBeGreaterThan(0)
    expect(own.length).toBeGreaterThan(6)
  })

  it('are none once it has ended', () => {
    expect(readThreads(2 ** 22 + 1)).toEqual([])
  })
})
