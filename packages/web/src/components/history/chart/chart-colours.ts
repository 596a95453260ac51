/** Locations with a line of their own; more would not be told apart. */
export const locationsShown = 6

/**
 * Lines differ in colour and in dashes, so that they are told apart without colour. None has a colour of a state, or the
 * fine dots of a limit.
 */
export const lineLooks: readonly { colour: string; dash: readonly number[] }[] = [
  { colour: 'oklch(0.58 0.12 245)', dash: [] },
  { colour: 'oklch(0.55 0.16 320)', dash: [6, 3] },
  { colour: 'oklch(0.62 0.09 205)', dash: [8, 3, 2, 3] },
  { colour: 'oklch(0.5 0.14 285)', dash: [3, 3] },
  { colour: 'oklch(0.66 0.12 345)', dash: [10, 4] },
  { colour: 'oklch(0.55 0.02 250)', dash: [12, 3, 3, 3] },
]

/** Bars of phases, from the first to the last. Neighbours differ in lightness too, and none has a colour of a state. */
export const phaseColours: readonly string[] = [
  'oklch(0.72 0.11 245)',
  'oklch(0.52 0.14 290)',
  'oklch(0.78 0.1 335)',
  'oklch(0.56 0.09 225)',
  'oklch(0.82 0.06 270)',
  'oklch(0.6 0.01 260)',
]
