import { readFile } from '../api/client.ts'
import { delay } from './delay.ts'
import { firstPageRead } from './query-client.ts'

/** What is on the page already is loaded before what is not. */
const aheadMs = 1000
const retryMs = 5000
const atOnce = 4

let inHand = false

/** Whether every part of the app is in the cache of the browser, so that it opens without the server. */
export const arePartsInHand = (): boolean => inHand

/**
 * Fetches the files of all parts that the page has not asked for yet. They are fetched and not imported, because
 * Chromium never asks again for a module that once failed to load.
 */
export async function fetchPartsAhead(): Promise<void> {
  const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
  if (import.meta.env.DEV || saves) return
  await firstPageRead
  await delay(aheadMs)
  const files = JSON.parse(await (await patientFetch('/parts.json')).text()) as string[]
  const had = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))
  const rest = files.filter((file) => !had.has(file)).values()
  const fetchRest = async () => {
    for (const file of rest) await patientFetch(file)
  }
  await Promise.all(Array.from({ length: atOnce }, fetchRest))
  inHand = true
}

/** Asks again until the whole file is there: a server that goes away also breaks off answers that it began. */
async function patientFetch(file: string): Promise<Blob> {
  for (;;) {
    const content = await readFile(file).catch(() => undefined)
    if (content !== undefined) return content
    await delay(retryMs)
  }
}
