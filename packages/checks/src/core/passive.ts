/** Something that arrived by itself for a check, such as the ping of a job that has finished. */
export interface PassiveEvent {
  /** UUID. */
  id: string
  /**
   * When it arrived by the server's clock, in epoch milliseconds. Moved forward where needed, so that it is after every
   * earlier event and every result of the check.
   */
  at: number
  /** Where its sender says it comes from (`Origin`, else `Referer`); null when nothing is said. */
  source: string | null
  userAgent: string | null
  /** The body as text, cut to 10,000 characters; null when there was none. */
  payload: string | null
}

/** How events of a type come in. */
export interface EventIntake {
  /**
   * Dotted path of the token by which a sender names the check. It is a UUID; the server assigns one to a check that
   * was created without, and keeps it when an update leaves it out.
   */
  tokenPath: string
  /**
   * Dotted path at which answers show the address that events are sent to. It is never stored: `fields` take it, so
   * that an answer can be sent back, and `complete` drops it.
   */
  addressPath: string
  methods: readonly ('GET' | 'POST')[]
  /**
   * False for events that are answered but otherwise ignored, such as the requests of a chat program's link preview.
   */
  counts(event: PassiveEvent): boolean
}

/** What is known when a decision is taken. All times are epoch milliseconds of the server's clock. */
export interface PassiveHistory {
  /** When counting began: the creation or activation of the check, or the save of another definition. */
  startedAt: number
  /**
   * Oldest first: all events after `lastDueAt` (after `startedAt` when that is null), preceded by the newest event
   * before them, which may be older than `startedAt`, if there is one.
   */
  events: readonly PassiveEvent[]
  /** `dueAt` of the newest result since `startedAt`; null before the first. */
  lastDueAt: number | null
  /** Times since the oldest of all these in which no event could arrive because the server was away, oldest first. */
  gaps: readonly { from: number; to: number }[]
}

/** One result that follows from events, or from their absence. */
export interface PassiveResult<Evidence> {
  /**
   * Identifies the result among those of the check. It depends on the history alone and not on when that is looked at:
   * the `at` of the event, or the moment at which waiting ended. While no event arrives, the result is repeated after
   * each further span of waiting.
   */
  dueAt: number
  evidence: Evidence
}

/** What follows from a history: none, one or several results, and when to look again. */
export interface PassiveDecision<Evidence> {
  /** Oldest first. All are due after `lastDueAt` and not after now. */
  results: readonly PassiveResult<Evidence>[]
  /** When to look again if no event arrives until then, after now; null when only an event can change anything. */
  lookAgainAt: number | null
}
