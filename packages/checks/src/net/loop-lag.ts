/** Each look wakes the thread, and a stall that ends before the next look is not seen. */
const tickMs = 25
/** Shorter delays are normal for timers. */
const noiseMs = 5

interface Stall {
  endedAt: number
  /** At most: it began after the last look. */
  lengthMs: number
}

/** Watches the event loop of this thread while at least one probe is under way. */
export interface LoopLag {
  /** Starts watching; the returned function ends it and answers the longest stall since, in milliseconds. */
  watch(): () => number
}

export function createLoopLag(): LoopLag {
  let stalls: Stall[] = []
  let watchers = 0
  let lastTick = 0
  let timer: NodeJS.Timeout | undefined

  const note = () => {
    const now = performance.now()
    const lengthMs = now - lastTick
    if (lengthMs > tickMs + noiseMs) stalls.push({ endedAt: now, lengthMs })
    lastTick = now
  }
  const enter = () => {
    watchers += 1
    if (watchers > 1) return
    lastTick = performance.now()
    timer = setInterval(note, tickMs)
    timer.unref()
  }
  const leave = () => {
    watchers -= 1
    if (watchers > 0) return
    clearInterval(timer)
    stalls = []
  }

  return {
    watch() {
      enter()
      const startedAt = performance.now()
      return () => {
        note()
        let longest = 0
        for (let index = stalls.length - 1; index >= 0; index -= 1) {
          const stall = stalls[index]
          if (stall === undefined || stall.endedAt < startedAt) break
          longest = Math.max(longest, Math.min(stall.lengthMs, stall.endedAt - startedAt))
        }
        leave()
        return Math.round(longest * 100) / 100
      }
    },
  }
}

/** The watch of this thread: one timer however many probes run. */
export const loopLag = createLoopLag()
