import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { agentPaths, type LeaseResponse, type ResultsResponse } from '@vedette/wire'

/** Stands between agents and the server, and records which runs it handed to agents and which results it took. */
export interface RecordingProxy {
  url: string
  /** Attempts that were leased to an agent. */
  leased: Set<string>
  /** Attempts whose results the server acknowledged to an agent as stored. */
  accepted: Set<string>
  rejected: ResultsResponse['rejected']
  /** From now on calls of these paths are answered 503, those in progress included. */
  refuse(paths: readonly string[]): void
  stop(): Promise<void>
}

interface State {
  server: string
  refused: ReadonlySet<string>
  /** Calls in progress, with their paths. */
  open: Map<ServerResponse, string>
  leased: Set<string>
  accepted: Set<string>
  rejected: ResultsResponse['rejected']
}

export async function startRecordingProxy(server: string): Promise<RecordingProxy> {
  const state: State = {
    server,
    refused: new Set(),
    open: new Map(),
    leased: new Set(),
    accepted: new Set(),
    rejected: [],
  }
  const listener = createServer((request, response) => {
    pass(state, request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    leased: state.leased,
    accepted: state.accepted,
    rejected: state.rejected,
    refuse(paths) {
      state.refused = new Set(paths)
      for (const [response, path] of state.open) if (state.refused.has(path)) response.destroy()
    },
    async stop() {
      listener.close()
      listener.closeAllConnections()
      await once(listener, 'close')
    },
  }
}

async function pass(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  if (state.refused.has(path)) {
    response.writeHead(503).end()
    return
  }
  state.open.set(response, path)
  response.once('close', () => state.open.delete(response))
  // Uncompressed, so that the answers can be read in transit.
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const outgoing = httpRequest(`${state.server}${path}`, { method: request.method, headers, agent: false })
  // When the agent gives up a call, the server must see its connection close.
  response.once('close', () => outgoing.destroy())
  request.pipe(outgoing)
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await bodyOf(answer)
  const status = answer.statusCode ?? 502
  if (path === agentPaths.lease && status === 200) noteLeases(state, body)
  if (path === agentPaths.results && status === 200) noteResults(state, body)
  response.writeHead(status, answer.headers)
  response.end(body)
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of answer as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

function noteLeases({ leased }: State, body: Buffer): void {
  const answer = JSON.parse(body.toString('utf8')) as LeaseResponse
  for (const { attemptId } of answer.jobs) leased.add(attemptId)
}

function noteResults({ accepted, rejected }: State, body: Buffer): void {
  const answer = JSON.parse(body.toString('utf8')) as ResultsResponse
  for (const id of answer.accepted) accepted.add(id)
  rejected.push(...answer.rejected)
}
