/** What a process may use. */
export interface ProcessBounds {
  /** Files and sockets it may have open; null where nothing says. */
  descriptors: number | null
  /** Memory it may use, in bytes. */
  memory: number
}

export interface NetworkSlots {
  slots: number
  /** Why there are not more, as text for the log; undefined when nothing limited them. */
  boundBy: string | undefined
}

/** Network runs at once. Nearly all of them wait for their target, so that a mass outage must not use them up. */
const usualSlots = 4000
/** The most that the protocol can announce. */
const mostSlots = 10_000
/** Descriptors for the connection to the server, threads, files, and the look-ups of other runs. */
const ownDescriptors = 256
/** A run has one connection; while it looks up a name it may have one to each of two nameservers. */
const descriptorsPerRun = 2
/**
 * A run that waits was measured at 25 kB for a TCP connection, 34 kB for an HTTP answer and 73 kB in a TLS handshake. The
 * rest is room for answers and evidence, which few runs hold at the same time.
 */
const bytesPerRun = 128 * 1024
/** Share of the memory for runs that wait. */
const memoryShare = 0.5
/** However small the machine, so many runs are possible. */
const leastSlots = 20

/**
 * How many network runs may be under way at once. A number set by the operator may exceed what memory suggests but not
 * the descriptors, without which runs would fail by our fault.
 */
export function networkSlots(set: number | null, { descriptors, memory }: ProcessBounds): NetworkSlots {
  const wanted = Math.min(set ?? usualSlots, mostSlots)
  const bounds = [
    {
      slots: descriptors === null ? Infinity : Math.floor((descriptors - ownDescriptors) / descriptorsPerRun),
      text: `${descriptors} open files are allowed`,
    },
    {
      slots: set === null ? Math.floor((memory * memoryShare) / bytesPerRun) : Infinity,
      text: `${Math.round(memory / 1024 / 1024)} MB of memory may be used`,
    },
  ]
  const [least] = bounds.toSorted((one, other) => one.slots - other.slots)
  if (least === undefined || least.slots >= wanted) return { slots: wanted, boundBy: undefined }
  return { slots: Math.max(Math.min(leastSlots, wanted), least.slots), boundBy: least.text }
}
