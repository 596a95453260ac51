import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { cpuBetween, pssMb, readProcesses, withDescendants } from './processes.ts'

const reading = (pid: number, cpuMs: number) => ({ pid, cpuMs, command: `process ${pid}` })

describe('CPU between two readings', () => {
  it('is the difference of each process that is still there', () => {
    expect(cpuBetween([reading(1, 100), reading(2, 50)], [reading(1, 130), reading(2, 50)])).toEqual([
      reading(1, 30),
      reading(2, 0),
    ])
  })

  it('counts a process that started in between from its start, and leaves out one that ended', () => {
    expect(cpuBetween([reading(1, 100), reading(2, 50)], [reading(1, 110), reading(3, 7)])).toEqual([
      reading(1, 10),
      reading(3, 7),
    ])
  })
})

describe.runIf(process.platform === 'linux')('processes', () => {
  it('are read with their children, and without those that have ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    expect(withDescendants(process.pid)).toContain(pid)
    expect(readProcesses(process.pid).map((each) => each.pid)).toEqual(expect.arrayContaining([process.pid, pid]))
    expect(pssMb(pid)).toBeGreaterThan(0)

    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readProcesses(pid)).toEqual([])
    expect(withDescendants(pid)).toEqual([])
    expect(pssMb(pid)).toBeUndefined()
  })

  it('may end while they are read', async () => {
    const children = Array.from({ length: 20 }, () => spawn('true'))
    const ended = Promise.all(children.map((child) => once(child, 'exit')))
    let isOver = false
    void ended.then(() => (isOver = true))
    while (!isOver) {
      expect(readProcesses(process.pid).map((each) => each.pid)).toContain(process.pid)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
})
