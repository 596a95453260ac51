import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export const shopModes = ['ok', 'down', 'slow', 'wrong'] as const
export type ShopMode = (typeof shopModes)[number]

export interface DemoShop {
  /** The shop that is watched. */
  url: string
  port: number
  /** The page with the switch and the received alerts. It also works while the shop is broken. */
  panelUrl: string
  set(mode: ShopMode): Promise<void>
  /** Alerts the panel received, newest last. */
  alerts(): readonly string[]
  stop(): Promise<void>
}

const products = [
  { id: 1, name: 'Lantern', price: 39 },
  { id: 2, name: 'Field glasses', price: 129 },
  { id: 3, name: 'Signal flag', price: 12 },
]

/** A shop to watch and a panel to break it with. A port that is taken is replaced by a free one. */
export async function startDemoShop(ports: { shop: number; panel: number }): Promise<DemoShop> {
  let mode: ShopMode = 'ok'
  const inbox: string[] = []
  let shop: Server | undefined = await listenNear(
    shopHandler(() => mode),
    ports.shop,
  )
  const shopPort = portOf(shop)

  const set = async (wanted: ShopMode) => {
    mode = wanted
    if (wanted === 'down' && shop) {
      await closed(shop)
      shop = undefined
    } else if (wanted !== 'down')
      shop ??= await listen(
        shopHandler(() => mode),
        shopPort,
      )
  }
  const panel = await listenNear(panelHandler({ mode: () => mode, set, inbox }), ports.panel)

  return {
    url: `http://127.0.0.1:${shopPort}`,
    port: shopPort,
    panelUrl: `http://127.0.0.1:${portOf(panel)}`,
    set,
    alerts: () => inbox,
    stop: async () => {
      await closed(panel)
      if (shop) await closed(shop)
    },
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

function shopHandler(mode: () => ShopMode): Handler {
  return (request, response) => {
    const answer = () => {
      if (request.url?.startsWith('/api/products')) {
        const body = mode() === 'wrong' ? { products: [] } : { products }
        return json(response, 200, body)
      }
      if (request.url === '/') {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        return response.end(
          '<!doctype html><title>Lookout supplies</title><h1>Lookout supplies</h1><p>Everything for the watch.</p>',
        )
      }
      return json(response, 404, { error: 'no such page' })
    }
    setTimeout(answer, mode() === 'slow' ? 6500 : 5)
  }
}

function panelHandler(shop: { mode(): ShopMode; set(mode: ShopMode): Promise<void>; inbox: string[] }): Handler {
  return (request, response) => {
    void answerPanel(shop, request, response).catch((error: unknown) => json(response, 500, { error: String(error) }))
  }
}

async function answerPanel(
  shop: { mode(): ShopMode; set(mode: ShopMode): Promise<void>; inbox: string[] },
  request: IncomingMessage,
  response: ServerResponse,
) {
  const wanted = shopModes.find((mode) => request.url === `/switch/${mode}`)
  if (request.method === 'POST' && wanted) {
    await shop.set(wanted)
    if (!request.headers.accept?.includes('text/html')) return json(response, 200, { mode: wanted })
    return response.writeHead(303, { location: '/' }).end()
  }
  if (request.method === 'POST' && request.url === '/alerts') {
    shop.inbox.push(await bodyOf(request))
    return response.writeHead(204).end()
  }
  if (request.url === '/alerts') return json(response, 200, shop.inbox.map(parsed))
  response.setHeader('content-type', 'text/html; charset=utf-8')
  return response.end(panelPage(shop.mode(), shop.inbox))
}

function panelPage(mode: ShopMode, inbox: readonly string[]): string {
  const labels: Record<ShopMode, string> = { ok: 'Healthy', down: 'Down', slow: 'Slow (6.5 s)', wrong: 'Wrong body' }
  const buttons = shopModes
    .map(
      (name) =>
        `<form method="post" action="/switch/${name}"><button ${name === mode ? 'disabled' : ''}>${labels[name]}</button></form>`,
    )
    .join('')
  const alerts = inbox
    .toReversed()
    .map((text) => `<li><pre>${escaped(text)}</pre></li>`)
    .join('')
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>Demo switch</title>
<style>body{font:16px system-ui;max-width:50rem;margin:2rem auto;padding:0 1rem}form{display:inline}button{font:inherit;padding:.6rem 1rem;margin-right:.5rem}pre{white-space:pre-wrap}</style>
<h1>The shop is: ${labels[mode]}</h1><p>Break it and watch Vedette notice.</p>${buttons}<h2>Alerts received (${inbox.length})</h2><ol reversed>${alerts}</ol>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

async function listen(handler: Handler, port: number): Promise<Server> {
  const server = createServer(handler).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function listenNear(handler: Handler, port: number): Promise<Server> {
  try {
    return await listen(handler, port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(handler, 0)
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function closed(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
