/** What a command is made of, one group each: `$'…'`, `'…'`, `"…"`, a line that goes on, `\x`, space, other text. */
const piece =
  /\$'((?:\\[\s\S]|[^'\\])*)'|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|([\\^]\r?\n)|\\([\s\S])|(\s+)|([^\s'"\\$^]+|[$^'"\\])/g

const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' }

/**
 * Splits a command as a shell does: quotes, `$'…'` with its escapes, and lines that go on after a backslash (or a caret, as
 * Windows writes them). Nothing is expanded.
 */
export function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [, escaped, single, double, goesOn, char, space, text] of command.matchAll(piece)) {
    if (space === undefined) {
      const more = goesOn === undefined ? (single ?? char ?? text ?? unescaped(escaped) ?? unquoted(double)) : undefined
      if (more !== undefined) word = (word ?? '') + more
      continue
    }
    if (word !== undefined) words.push(word)
    word = undefined
  }
  return word === undefined ? words : [...words, word]
}

const unescaped = (text: string | undefined): string | undefined =>
  text?.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (_, wide?: string, narrow?: string, char = '') => {
      const code = wide ?? narrow
      return code === undefined
        ? (letters[String(char)] ?? String(char))
        : String.fromCharCode(Number.parseInt(code, 16))
    },
  )

const unquoted = (text: string | undefined): string | undefined =>
  text?.replaceAll(/\\([\s\S])/g, (whole, char: string) => (char === '\n' ? '' : '"\\$`'.includes(char) ? char : whole))
