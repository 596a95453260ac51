import { staleAfterMs } from '@vedette/wire'

/** Its group or its account may have switched it on. */
const changedAt = 'greatest(c.updated_at, c.counted_from)'

/**
 * SQL over `c` (checks) and `s` (check_status): the check was changed or switched on a moment ago and has no result since.
 * Its run that follows at once ends within the time that a run may wait. Whether nothing comes at all is not awaited, and
 * a change of the future is none: clocks of servers differ.
 */
export const awaitsFirstResult = `((s.updated_at >= ${changedAt}) IS NOT TRUE
    AND (${changedAt} BETWEEN clock_timestamp() - interval '${staleAfterMs} milliseconds' AND clock_timestamp()) IS TRUE)`
