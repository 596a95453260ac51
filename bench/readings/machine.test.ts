import { expect, it } from 'vitest'
import { busyMs, machineCpuMs } from './machine.ts'

it('the machine is busy with all but idling and waiting for disks', () => {
  expect(busyMs('cpu  100 20 30 5000 400 5 6 7 50 0\ncpu0 1 1 1 1 1 1 1 1 1 0\n')).toBe(1680)
})

it.runIf(process.platform === 'linux')('its CPU grows with what this process uses', () => {
  const [before, own] = [machineCpuMs(), process.cpuUsage()]
  while (process.cpuUsage(own).user < 200_000) Math.sqrt(2)
  expect(machineCpuMs() - before).toBeGreaterThanOrEqual(150)
})
