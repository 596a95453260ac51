import { isPrivateLocation, troubleCodes } from '@vedette/wire'
import { Gauge, type Registry } from 'prom-client'
import type { HealthFacts } from '../health/facts/facts.ts'
import type { HealthLook } from '../health/health-watch.ts'

/** Metrics of the installation's own health: the same signal as readiness. */
export function healthGauges(registry: Registry, look: () => HealthLook | undefined): void {
  const registers = [registry]
  const seconds = (name: string, help: string, read: (facts: HealthFacts) => number | null) =>
    new Gauge({ name, help, registers, collect: setTo(look, (facts) => inSeconds(read(facts))) })
  seconds(
    'vedette_last_tick_age_seconds',
    'Since the schedule was last looked at.',
    (facts) => facts.schedule.tickAgeMs,
  )
  seconds('vedette_last_lease_age_seconds', 'Since an agent last asked for work.', (facts) => facts.leaseAgeMs)
  seconds('vedette_last_commit_age_seconds', 'Since results were last stored.', (facts) => facts.ingest.commitAgeMs)
  seconds(
    'vedette_last_delivery_round_age_seconds',
    'Since due notifications were last looked for.',
    (facts) => facts.deliveryRoundMs,
  )
  seconds(
    'vedette_ingest_failing_seconds',
    'For how long no results could be stored; 0 while they can.',
    (facts) => facts.ingest.failingMs ?? 0,
  )
  seconds('vedette_last_canary_age_seconds', 'Since a test notification last went the whole road.', ({ now, canary }) =>
    canary?.acceptedAt ? now - canary.acceptedAt : null,
  )
  const plain = (name: string, help: string, read: (facts: HealthFacts) => number | null) =>
    new Gauge({ name, help, registers, collect: setTo(look, read) })
  plain('vedette_disk_free_bytes', 'Free space of the data directory.', ({ disk }) => disk?.free ?? null)
  plain('vedette_disk_size_bytes', 'Size of its file system.', ({ disk }) => disk?.size ?? null)
  plain('vedette_coverage_gaps_open', 'Locations whose runs are left out now.', ({ openGaps }) => openGaps.length)
  agentsGauge(registry, look)
  troublesGauge(registry, look)
}

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)

/** A value that is not known is left out. */
const setTo = (look: () => HealthLook | undefined, read: (facts: HealthFacts) => number | null) =>
  function collect(this: Gauge): void {
    const facts = look()?.facts
    const value = facts === undefined ? null : read(facts)
    this.reset()
    if (value !== null) this.set(value)
    else this.remove()
  }

function agentsGauge(registry: Registry, look: () => HealthLook | undefined): void {
  new Gauge({
    name: 'vedette_agents_online',
    help: 'Agents that serve a location in use. Private locations are counted together.',
    labelNames: ['location'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { id, agents } of look()?.facts.locations ?? [])
        this.inc({ location: isPrivateLocation(id) ? 'private' : id }, agents)
    },
  })
}

function troublesGauge(registry: Registry, look: () => HealthLook | undefined): void {
  new Gauge({
    name: 'vedette_troubles',
    help: 'What is wrong with the installation itself, by code.',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      for (const code of troubleCodes) this.set({ code }, 0)
      for (const { code } of look()?.troubles ?? []) this.inc({ code })
    },
  })
  new Gauge({
    name: 'vedette_ready',
    help: '1 while everything can be watched and notified of.',
    registers: [registry],
    collect() {
      this.set(Number(look()?.ready ?? false))
    },
  })
}
