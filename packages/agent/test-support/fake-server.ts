import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import {
  agentPaths,
  diagnosticsRequest,
  goodbyeRequest,
  helloRequest,
  leaseRequest,
  planRequest,
  releaseRequest,
  renewRequest,
  resultsRequest,
  type DiagnosticsRequest,
  type HelloRequest,
  type Job,
  type LeaseRequest,
  type PlanAnswer,
  type PlanRequest,
  type ResultReport,
} from '@vedette/wire'

export interface Refusal {
  status: number
  headers?: Record<string, string>
  body?: unknown
  /** In place of the body: these bytes, whatever they are. */
  raw?: string | Buffer
  /** The connection ends in the middle of the answer. */
  isCut?: boolean
}

/** A server that speaks the agent protocol on a real socket, records its requests, and fails on demand. */
export class FakeServer {
  readonly hellos: HelloRequest[] = []
  readonly leases: LeaseRequest[] = []
  readonly renewals: { leases: string[] }[] = []
  readonly crashes: { at: number; code: string }[] = []
  readonly released: string[] = []
  readonly results: ResultReport[] = []
  readonly diagnostics: DiagnosticsRequest[] = []
  readonly batches: number[] = []
  readonly encodings: (string | undefined)[] = []
  /** Every connection on which a request came. */
  readonly sockets = new Set<Socket>()
  goodbyes = 0
  muted = 0
  key = 'vdl_test'
  serverTime: () => number = () => Date.now()
  cancelled: string[] = []
  renewEveryMs = 50
  longPollMs = 20_000
  /** The plan of the location; null: its agents have none. */
  plan: (request: PlanRequest) => PlanAnswer | null = () => null
  /** Whether a result is accepted now; others are to be sent again. */
  takes: (report: ResultReport) => boolean = () => true
  /** Requests that are taken in and never answered. */
  mute: (path: string, socket: Socket) => boolean = () => false
  /** Holds the answer of a path back until it settles; the answer is made before. */
  delay: (path: string) => Promise<void> | undefined = () => undefined
  /** Overrides the answer of a path: a refusal, or `drop` to cut the connection. Undefined answers as usual. */
  trouble: (path: string, body: string) => Refusal | 'drop' | undefined = () => undefined
  readonly #jobs: Job[] = []
  readonly #polls = new Set<() => void>()
  #watchers: (() => void)[] = []
  readonly #certificate: { key: string; cert: string } | undefined
  #server: Server | undefined
  #port = 0

  /** With a certificate it speaks TLS. */
  constructor(certificate?: { key: string; cert: string }) {
    this.#certificate = certificate
  }

  async start(): Promise<void> {
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response)
    const server = this.#certificate === undefined ? createServer(serve) : createHttpsServer(this.#certificate, serve)
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  get port(): number {
    return this.#port
  }

  get url(): string {
    return `${this.#certificate === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`
  }

  /** Closes the server; `start` opens it again on the same port. */
  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  give(...jobs: Job[]): void {
    this.#jobs.push(...jobs)
    for (const wake of this.#polls) wake()
  }

  /** Resolves as soon as the condition holds. It is checked at every request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const body = await readBody(request)
    if (body === undefined) return
    this.encodings.push(request.headers['content-encoding'])
    this.sockets.add(request.socket)
    if (this.mute(path, request.socket)) {
      this.muted += 1
      this.#heard()
      return
    }
    const trouble = this.trouble(path, body)
    if (trouble === 'drop') {
      request.socket.destroy()
      this.#heard()
      return
    }
    const answer = trouble ?? (await this.#answer(path, body, request.headers.authorization, response))
    await this.delay(path)
    const bytes = Buffer.from(answer.raw ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)))
    const promised = answer.isCut === true && { 'content-length': bytes.length + 100 }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers, ...promised })
    if (answer.isCut === true) response.write(bytes, () => request.socket.destroy())
    else response.end(bytes)
    this.#heard()
  }

  async #answer(path: string, body: string, auth: string | undefined, response: ServerResponse): Promise<Refusal> {
    if (auth !== `Bearer ${this.key}`) return { status: 401, body: { message: 'no such key' } }
    const message: unknown = JSON.parse(body)
    if (path === agentPaths.hello) return this.#hello(helloRequest.parse(message))
    if (path === agentPaths.lease) return this.#lease(leaseRequest.parse(message), response)
    if (path === agentPaths.results) return this.#results(resultsRequest.parse(message).results)
    if (path === agentPaths.renew) {
      const { leases, crashes = [] } = renewRequest.parse(message)
      this.renewals.push({ leases })
      this.crashes.push(...crashes)
      return { status: 200, body: { serverTime: this.serverTime(), cancelled: this.cancelled.splice(0) } }
    }
    if (path === agentPaths.plan)
      return { status: 200, body: { serverTime: this.serverTime(), plan: this.plan(planRequest.parse(message)) } }
    if (path === agentPaths.diagnostics) this.diagnostics.push(diagnosticsRequest.parse(message))
    if (path === agentPaths.release) this.released.push(...releaseRequest.parse(message).leases)
    if (path === agentPaths.goodbye && goodbyeRequest.parse(message)) this.goodbyes += 1
    return { status: 200, body: {} }
  }

  #hello(message: HelloRequest): Refusal {
    this.hellos.push(message)
    const { serverTime, renewEveryMs, longPollMs } = this
    const terms = { protocol: 2, serverTime: serverTime(), locations: ['eu-west-1'], leaseMs: 30_000 }
    return { status: 200, body: { ...terms, renewEveryMs, longPollMs } }
  }

  async #lease(message: LeaseRequest, response: ServerResponse): Promise<Refusal> {
    this.leases.push(message)
    this.#heard()
    if (this.#jobs.length === 0) {
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#polls.delete(done)
          resolve()
        }
        this.#polls.add(done)
        response.on('close', done)
      })
    }
    const jobs = response.destroyed ? [] : this.#jobs.splice(0, message.free.network ?? 0)
    return { status: 200, body: { serverTime: this.serverTime(), jobs } }
  }

  #results(reports: ResultReport[]): Refusal {
    const taken = reports.filter((report) => this.takes(report))
    this.results.push(...taken)
    this.batches.push(reports.length)
    const accepted = taken.map(({ lease }) => lease.replace('lease-of-', ''))
    return { status: 200, body: { serverTime: this.serverTime(), accepted, rejected: [] } }
  }

  #heard(): void {
    for (const resume of this.#watchers.splice(0)) resume()
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  try {
    return await text(request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request)
  } catch (error) {
    request.destroy(error instanceof Error ? error : undefined)
    return undefined
  }
}
