import type { Health } from '@vedette/wire'

/** The signal as a page has it: `error` when it could not be read the last time, also with an older answer. */
export interface HealthReading {
  data?: Health | undefined
  error: Error | null
  /** When the answer came, epoch milliseconds; 0 before the first. */
  dataUpdatedAt: number
}

export interface BannerView {
  state: 'failing' | 'degraded' | 'unknown'
  title: string
  /** What to do. */
  advice: string
  /** When it began, or since when nothing is known. */
  since: string | undefined
  sinceWord: 'began' | 'last read'
  others: number
}

/** The worst that is wrong, or that nothing can be read; undefined while all is well, and before the first answer. */
export function bannerOf({ data, error, dataUpdatedAt }: HealthReading): BannerView | undefined {
  if (error !== null)
    return {
      state: 'unknown',
      title: 'The health of Vedette cannot be read',
      advice: `${error.message.replace(/\.?$/, '.')} Whether checks run is not known here; this page tries again by itself.`,
      since: dataUpdatedAt === 0 ? undefined : new Date(dataUpdatedAt).toISOString(),
      sinceWord: 'last read',
      others: 0,
    }
  const [worst, ...others] = data?.troubles ?? []
  if (worst === undefined) return undefined
  const { title, advice, since } = worst
  return {
    state: troubleState(worst),
    title,
    advice,
    since,
    sinceWord: 'began',
    others: others.length,
  }
}

/** The look of a trouble: that of a check in the same condition. */
export const troubleState = ({ code, severity }: Health['troubles'][number]): BannerView['state'] =>
  code === 'LEADER_NOT_HEARD' ? 'unknown' : severity === 'critical' ? 'failing' : 'degraded'

/** False while nothing can be watched, or that is not known: then states are those last known. */
export const canWatch = ({ data, error }: Pick<HealthReading, 'data' | 'error'>): boolean =>
  error === null && data?.ready !== false && data?.troubles.every(({ code }) => code !== 'LEADER_NOT_HEARD') !== false
