/**
 * Defects of the product that the simulation shows and that are not mended yet. Their scenarios are expected to fail, and
 * random worlds do not judge what they spoil. Delete an entry with the mend.
 */
export type Defect = (typeof defects)[number]

export const defects = [
  'parallel locations that never meet',
  'parallel with a dead location',
  'agent stops when its clock is set back',
  'mass outage',
  'torn spool',
  'writes through the standby',
  'lease without end',
  'invented gap',
  'gap written twice',
  'notified nobody',
  'retry waits for the old time',
  'masked trouble ends',
  // Two servers whose clocks leap by more than an hour may write the same gap twice.
  'gap doubled by a leap',
] as const

export const openDefects: ReadonlySet<Defect> = new Set<Defect>(['gap doubled by a leap'])
