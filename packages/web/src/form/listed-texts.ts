/** What was typed between commas. */
export const listedTexts = (typed: string): string[] =>
  typed
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
