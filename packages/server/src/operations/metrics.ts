import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { HealthLook } from '../health/health-watch.ts'
import { healthGauges } from './health-gauges.ts'
import type { LocationLoad } from '../locations/location-load.ts'
import type { CommittedResult } from '../runs.ts'
import type { PrivateLocationMetrics } from './private-location-metrics.ts'

export interface GaugeSources {
  health: () => HealthLook | undefined
  queue: () => { waiting: number; leased: number }
  scheduledChecks: () => number
  openPages: () => number
  leading: () => boolean
  notStorable: () => Readonly<Record<'unknown' | 'refused', number>>
  privateLocations: PrivateLocationMetrics
  locationLoads: () => readonly LocationLoad[]
}

/** The server's Prometheus metrics. No label names an account or a check; a private location goes by its id. */
export interface ServerMetrics {
  registry: Registry
  committed(results: readonly CommittedResult[], nowMs: number): void
}

export function serverMetrics(sources: GaugeSources): ServerMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 250 })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('vedette_queue_waiting_runs', 'Runs waiting for an agent.', () => sources.queue().waiting)
  gauge('vedette_queue_leased_runs', 'Runs an agent holds.', () => sources.queue().leased)
  gauge('vedette_scheduled_checks', 'Checks in the schedule of this process.', sources.scheduledChecks)
  gauge('vedette_open_pages', 'Pages that listen for live events.', sources.openPages)
  gauge('vedette_scheduler_leading', '1 when this process schedules.', () => Number(sources.leading()))

  sources.privateLocations.register(registry, sources.locationLoads)
  healthGauges(registry, sources.health)
  const results = new Counter({
    name: 'vedette_results_total',
    help: 'Results stored.',
    labelNames: ['type', 'outcome'],
    registers,
  })
  new Counter({
    name: 'vedette_results_not_storable_total',
    help: 'Results that could not be stored as reported: their run ended as not known, or they were refused.',
    labelNames: ['ending'],
    registers,
    collect() {
      this.reset()
      for (const [ending, count] of Object.entries(sources.notStorable())) this.inc({ ending }, count)
    },
  })
  const queued = new Counter({ name: 'vedette_notifications_queued_total', help: 'Notifications queued.', registers })
  const age = new Histogram({
    name: 'vedette_result_age_seconds',
    help: 'From due time to commit.',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 360],
    registers,
  })
  return {
    registry,
    committed(batch, nowMs) {
      for (const result of batch) {
        results.inc({ type: result.resultType, outcome: result.outcome })
        age.observe(Math.max(0, nowMs - result.dueAt) / 1000)
        if (result.notifications > 0) queued.inc(result.notifications)
      }
    },
  }
}
