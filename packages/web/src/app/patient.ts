import { readPage } from '../api/client.ts'
import { delay } from './delay.ts'
import { arePartsInHand } from './parts-ahead.ts'

const retryMs = 1500
/** Tries while the server answers. What still fails then is broken, not away. */
const tries = 3
/** One that fails again so soon after the app was loaded anew is broken. */
const reloadedMs = 60_000
const reloadedAt = 'vedette:reloaded-at'

let isCutOff = false

/** Tells whether the app is cut off from the server. */
export const noteCutOff = (cutOff: boolean): void => {
  isCutOff = cutOff
}

/** Loads a part of the app, and while the server is away tries again until it is back: the part opens then. */
export const patient =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    for (let failed = 0; ;) {
      try {
        // Chromium never asks again for a module that once failed to load, so nothing is imported that must fail.
        while (isCutOff && !arePartsInHand()) await delay(retryMs)
        return await load()
      } catch (error) {
        const server = await whatAnswers()
        // Another version of the app was installed meanwhile: its parts have other names.
        if (server === 'newer') location.reload()
        if (server === 'same' && ++failed === tries) reloadOnce(error)
        await delay(retryMs)
      }
    }
  }

/** Whether the server answers, and whether with a page that names other files than this one was made of. */
async function whatAnswers(): Promise<'away' | 'newer' | 'same'> {
  try {
    const page = await readPage()
    const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src') ?? ''
    if (!page.includes('<div id="root">')) return 'away'
    return page.includes(own) ? 'same' : 'newer'
  } catch {
    return 'away'
  }
}

/** Loads the app anew, for a part that failed while nobody had noticed that the server is away. */
function reloadOnce(error: unknown): void {
  if (Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0) < reloadedMs) throw error
  sessionStorage.setItem(reloadedAt, String(Date.now()))
  location.reload()
}
