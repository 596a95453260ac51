import { Agent as HttpAgent, request as requestHttp, type AgentOptions, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { readProxy } from '@vedette/checks/net'

/** A proxy, and how long it may take to open a tunnel. */
interface Way {
  proxy: string
  limitMs: number
}

type Opened = (error: Error | null, socket?: Duplex) => void

/** The kept connections to the server, each through the proxy when there is one. */
export function connectionsTo(server: URL, way: { proxy: string | undefined; limitMs: number }): HttpAgent {
  const { proxy, limitMs } = way
  const options = { keepAlive: true, maxSockets: 24 }
  const isSecure = server.protocol === 'https:'
  if (proxy === undefined) return new (isSecure ? HttpsAgent : HttpAgent)(options)
  return isSecure ? new SecureTunnels(options, { proxy, limitMs }) : new Tunnels(options, { proxy, limitMs })
}

class Tunnels extends HttpAgent {
  readonly #way: Way

  constructor(options: AgentOptions, way: Way) {
    super(options)
    this.#way = way
  }

  override createConnection(options: ClientRequestArgs, opened: Opened): undefined {
    openTunnel(this.#way, options, opened)
  }
}

class SecureTunnels extends HttpsAgent {
  readonly #way: Way

  constructor(options: AgentOptions, way: Way) {
    super(options)
    this.#way = way
  }

  override createConnection(options: ClientRequestArgs, opened: Opened): undefined {
    openTunnel(this.#way, options, (error, socket) => {
      if (error !== null || socket === undefined) return opened(error)
      opened(null, super.createConnection({ ...options, socket } as ClientRequestArgs) ?? undefined)
    })
  }
}

/** Has the proxy connect to the server (CONNECT). Errors name the proxy without its user and password. */
function openTunnel(way: Way, { host, port }: ClientRequestArgs, opened: Opened): void {
  const { limitMs } = way
  const proxy = readProxy(way.proxy)
  const name = `the proxy ${proxy.host}:${proxy.port}`
  const server = `${host?.includes(':') ? `[${host}]` : host}:${port}`
  const { authorization } = proxy
  const asking = (proxy.secure ? requestHttps : requestHttp)({
    host: proxy.host,
    port: proxy.port,
    // Else its certificate would be compared with the host header, which names the server.
    servername: isIP(proxy.host) === 0 ? proxy.host : '',
    method: 'CONNECT',
    path: server,
    headers: { host: server, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
    agent: false,
  })
  const limit = setTimeout(() => asking.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
  asking.once('close', () => clearTimeout(limit))
  asking.on('error', (error) => opened(new Error(`${name} cannot be used: ${error.message}`)))
  asking.once('connect', (answer, socket, head: Buffer) => {
    clearTimeout(limit)
    const refusal = refusalOf(answer.statusCode ?? 0, answer.statusMessage ?? '')
    if (refusal === undefined) {
      if (head.length > 0) socket.unshift(head)
      return opened(null, socket)
    }
    socket.destroy()
    opened(new Error(`${name} ${refusal}`))
  })
  asking.end()
}

function refusalOf(status: number, text: string): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 407) return 'does not accept the user and password of HTTPS_PROXY (407)'
  return `does not connect to the server: ${`${status} ${text}`.trim()}`
}
