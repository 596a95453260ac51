import { readPage } from '../api/client.ts'

const retryMs = 1500
/** Tries while the server answers. What still fails then is broken, not away. */
const tries = 3

/** Loads a part of the app, and while the server is away tries again until it is back: the part opens then. */
export const patient =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    for (let failed = 0; ;) {
      try {
        return await load()
      } catch (error) {
        const server = await whatAnswers()
        // Another version of the app was installed meanwhile: its parts have other names.
        if (server === 'newer') location.reload()
        if (server === 'same' && ++failed === tries) throw error
        await new Promise((resolve) => setTimeout(resolve, retryMs))
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
