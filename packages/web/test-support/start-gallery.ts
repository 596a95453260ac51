import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** The page of the development server that shows every component. */
export interface Gallery {
  url: string
  stop(): Promise<void>
}

export async function startGallery(): Promise<Gallery> {
  const server = await createServer({
    root: folder,
    configFile: `${folder}vite.config.ts`,
    server: { host: '127.0.0.1', port: 0 },
    logLevel: 'error',
  })
  await server.listen()
  const [address] = server.resolvedUrls?.local ?? []
  if (address === undefined) throw new Error('The development server has no address')
  return { url: `${address}gallery.html`, stop: () => server.close() }
}
