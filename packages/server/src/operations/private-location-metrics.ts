import { isPrivateLocation, type LocationId } from '@vedette/wire'
import { Gauge, Summary, type Registry } from 'prom-client'
import type { LocationLoad } from '../locations/location-load.ts'

/** Quantiles are those of the runs of so many seconds. */
const windowSeconds = 600

interface Leased {
  ref: { location: LocationId }
  waitedMs: number
}

/** The queues and agents of private locations, for Prometheus. */
export interface PrivateLocationMetrics {
  leased: (runs: readonly Leased[]) => void
  /** `loads` is empty while another server leads. */
  register: (registry: Registry, loads: () => readonly LocationLoad[]) => void
}

export function privateLocationMetrics(): PrivateLocationMetrics {
  const waits = new Summary({
    name: 'vedette_private_location_queue_seconds',
    help: 'How long runs waited for an agent of their private location since they were due.',
    labelNames: ['location'],
    percentiles: [0.5, 0.9, 0.99],
    maxAgeSeconds: windowSeconds,
    ageBuckets: 5,
    pruneAgedBuckets: true,
    registers: [],
  })
  return {
    leased(runs) {
      for (const { ref, waitedMs } of runs)
        if (isPrivateLocation(ref.location)) waits.observe({ location: ref.location }, waitedMs / 1000)
    },
    register(registry, loads) {
      registry.registerMetric(waits)
      const gauge = (name: string, help: string, read: (load: LocationLoad) => number) =>
        new Gauge({
          name: `vedette_private_location_${name}`,
          help,
          labelNames: ['location'],
          registers: [registry],
          collect() {
            this.reset()
            for (const load of loads()) this.set({ location: load.location }, read(load))
          },
        })
      gauge('waiting_runs', 'Runs that wait for an agent of the location.', ({ waiting }) => waiting)
      gauge('oldest_wait_seconds', 'Since the oldest of them was due.', ({ oldestMs }) => oldestMs / 1000)
      gauge('leased_runs', 'Runs that an agent of the location holds.', ({ leased }) => leased)
      gauge('agents', 'Agents of the location that call.', ({ agents }) => agents)
    },
  }
}
