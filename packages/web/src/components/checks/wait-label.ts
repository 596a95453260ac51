import type { OverviewRow } from '@vedette/wire'

/** Label of a check that waits for more than its first run: nothing can run it yet. Undefined for all others. */
export const waitLabel = ({ state, notRunnable }: Pick<OverviewRow, 'state' | 'notRunnable'>): string | undefined =>
  state === 'pending' && notRunnable !== null ? 'Cannot run' : undefined
