/** Errors of WASI that a disk or its permissions cause. */
const words: Readonly<Record<number, string>> = {
  2: 'permission denied',
  19: 'disk quota exceeded',
  29: 'input or output error',
  51: 'no space left on the disk',
  63: 'operation not permitted',
  69: 'read-only file system',
}

/** What an error of the engine says. Its file system throws objects that have only the number of the error. */
export function faultText(error: unknown): string {
  if (error instanceof Error) return error.message
  const { errno } = (error ?? {}) as { errno?: unknown }
  return typeof errno === 'number' ? (words[errno] ?? `error ${errno} of the file system`) : String(error)
}
