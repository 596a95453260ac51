import type { Trouble } from '../src/trouble.ts'

/** A critical trouble of the whole installation. */
export const troubleOf = (code: Trouble['code'], more: Partial<Trouble> = {}): Trouble => ({
  key: code,
  code,
  severity: 'critical',
  subject: 'Vedette',
  accountId: null,
  location: null,
  title: `${code} is there`,
  over: `${code} is over`,
  text: 'Something is wrong.',
  advice: 'Mend it.',
  since: Date.now(),
  ...more,
})
