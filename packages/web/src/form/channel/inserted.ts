/** A text with another in place of what is selected, and where the cursor stands then. */
export function inserted(text: string, { from, to }: { from: number; to: number }, added: string) {
  return { text: text.slice(0, from) + added + text.slice(to), cursor: from + added.length }
}
