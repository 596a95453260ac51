import { doubleCheckStrategy, type CommonCheck, type RetryStrategy } from '@vedette/wire'

type Retried = Pick<CommonCheck, 'retryStrategy' | 'doubleCheck'>

const pauses: Record<RetryStrategy['type'], string> = {
  SINGLE_RETRY: '',
  FIXED: ', with the same pause each time',
  LINEAR: ', with a pause that grows evenly',
  EXPONENTIAL: ', with a pause that multiplies',
}

/** What happens before a failure counts, in a sentence. */
export function retryText({ retryStrategy, doubleCheck }: Partial<Retried>): string {
  const strategy = retryStrategy ?? (doubleCheck ? doubleCheckStrategy : null)
  if (strategy === null || strategy === undefined) return 'The first failure counts.'
  const { type, baseBackoffSeconds, maxRetries, sameRegion } = strategy
  const where = sameRegion ? 'at the same location' : 'from another location'
  const isOnce = type === 'SINGLE_RETRY' || maxRetries === 1
  const times = isOnce ? 'once' : `up to ${maxRetries} times`
  const after = baseBackoffSeconds === 0 ? 'at once' : `after ${baseBackoffSeconds} s`
  return `It is tried again ${times}, ${after}, ${where}${isOnce ? '' : pauses[type]}.`
}
