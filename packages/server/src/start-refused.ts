/** The program cannot start like this. The message is one sentence, then what to do; no stack trace is shown for it. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}
