import { formatDate } from '@vedette/checks/template'

/** A time for people, in UTC. */
export const whenText = (ms: number): string => formatDate(ms, 'YYYY-MM-DD HH:mm:ss [UTC]')
