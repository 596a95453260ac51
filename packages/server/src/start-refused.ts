/** The program cannot start. The message says why and what to do; no stack trace is shown. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}
