import type { Health } from '@vedette/wire'
import type { Connection } from '../../live/live-connection.ts'
import { troubleState, type HealthReading } from './health-view.ts'

type Tone = 'ok' | 'waiting' | 'degraded' | 'failing' | 'unknown'

/** What the signal at the top of every page says in a word or two. */
export interface Signal {
  tone: Tone
  text: string
}

const deliveryCodes: readonly Health['troubles'][number]['code'][] = ['NOTIFICATIONS_NOT_SENT', 'NOTIFICATIONS_FAILING']

/** The worst of: the line to the server, what is wrong with Vedette itself, deliveries. */
export function signalOf(connection: Connection, { data, error }: HealthReading): Signal {
  if (connection === 'lost') return { tone: 'failing', text: 'Cut off from the server' }
  if (connection === 'connecting') return { tone: 'waiting', text: 'Connecting…' }
  if (error !== null) return { tone: 'unknown', text: 'Health not known' }
  const [worst, ...others] = data?.troubles ?? []
  if (worst !== undefined) {
    const title = deliveryCodes.includes(worst.code) ? 'Deliveries fail' : worst.title
    return { tone: troubleState(worst), text: others.length === 0 ? title : `${title}, and ${others.length} more` }
  }
  return connection === 'delayed' ? { tone: 'degraded', text: 'Delayed' } : { tone: 'ok', text: 'Live' }
}
