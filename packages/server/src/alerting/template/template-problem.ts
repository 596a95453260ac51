/** A template that cannot be used. Its message is shown to the user. */
export class TemplateProblem extends Error {}

/** Bounds of one rendering. They are far above what people write and stop what people plant. */
export const templateLimits = {
  textChars: 32_768,
  tags: 500,
  blocks: 100,
  parentheses: 100,
  outputChars: 262_144,
  valueChars: 65_536,
  steps: 50_000,
} as const
