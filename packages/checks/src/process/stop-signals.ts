/** What a program does when it is asked to stop. */
export interface StopAsked {
  first: (signal: NodeJS.Signals) => void
  /** Whoever asks again does not want to wait. */
  again: (signal: NodeJS.Signals) => void
}

/**
 * One Ctrl-C may arrive twice: the terminal sends it to all processes of the group, and npm passes on what it gets. What
 * comes within this time is the same request.
 */
const sameRequestMs = 500

/** Calls `first` at the first SIGINT or SIGTERM, and `again` at later ones. */
export function onStopSignals(
  asked: StopAsked,
  from: Pick<NodeJS.EventEmitter, 'on'> = process,
  now: () => number = () => performance.now(),
): void {
  let since: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = now()
      asked.first(signal)
    } else if (now() - since > sameRequestMs) asked.again(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) from.on(signal, onSignal)
}
