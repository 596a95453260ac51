/** Locations with a line of their own; more would not be told apart. */
export const locationsShown = 6

/** Lines differ in colour and in dashes, so that they are told apart without colour. */
export const lineLooks: readonly { colour: string; dash: readonly number[] }[] = [
  { colour: 'oklch(0.58 0.12 245)', dash: [] },
  { colour: 'oklch(0.62 0.13 60)', dash: [6, 3] },
  { colour: 'oklch(0.55 0.14 320)', dash: [2, 2] },
  { colour: 'oklch(0.6 0.1 195)', dash: [8, 3, 2, 3] },
  { colour: 'oklch(0.5 0.1 285)', dash: [4, 4] },
  { colour: 'oklch(0.58 0.1 130)', dash: [10, 4] },
]

/** Bars of phases, from the first to the last. Neighbours differ in lightness too. */
export const phaseColours: readonly string[] = [
  'oklch(0.72 0.11 245)',
  'oklch(0.56 0.13 290)',
  'oklch(0.78 0.12 85)',
  'oklch(0.58 0.11 185)',
  'oklch(0.76 0.11 20)',
  'oklch(0.6 0.01 260)',
]
