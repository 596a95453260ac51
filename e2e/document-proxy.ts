import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The part of an OpenAPI document by which answers are looked up. */
export interface AnswersDocument {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { content?: object }> }>>
  components: { schemas: Record<string, { properties?: Record<string, object> }> }
}

/** Stands before the server, and compares its answers with an OpenAPI document. */
export interface DocumentProxy {
  url: string
  /** Operations that were called. */
  called: Set<string>
  /** Answers of which the document says something else. */
  differences: string[]
  stop(): Promise<void>
}

export async function startDocumentProxy(server: string, document: AnswersDocument): Promise<DocumentProxy> {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const called = new Set<string>()
  const differences: string[] = []
  const compare = (method: string, path: string, { status, type, text }: Answered) => {
    const found = operationAt(document, method, path)
    if (found === undefined) return void differences.push(`${method} ${path} is not in the document`)
    called.add(found.operation.operationId)
    const answer = found.operation.responses[status]
    const where = ['paths', found.path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
    const fits = answer?.content && ajv.getSchema(`document#/${where.map(pointer).join('/')}`)
    const isSaid = answer !== undefined && (fits ? fits(JSON.parse(text)) : text === '' && answer.content === undefined)
    if (!isSaid) differences.push(`${method} ${path}: ${status} ${ajv.errorsText(fits ? fits.errors : [])} ${text}`)
  }
  const listener = createServer((request, response) => {
    pass(server, request, response).then(
      (answered) => compare(request.method ?? '', (request.url ?? '').split('?')[0] ?? '', answered),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    called,
    differences,
    async stop() {
      listener.close()
      listener.closeAllConnections()
      await once(listener, 'close')
    },
  }
}

interface Answered {
  status: number
  type: string
  text: string
}

const pointer = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The operation at an address; one without a placeholder goes before one with it. */
function operationAt(document: AnswersDocument, method: string, address: string) {
  const asked = address.split('/')
  const fits = (path: string) => {
    const steps = path.split('/')
    return steps.length === asked.length && steps.every((step, at) => step.startsWith('{') || step === asked[at])
  }
  const [path] = Object.keys(document.paths)
    .filter((known) => fits(known) && document.paths[known]?.[method.toLowerCase()])
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
  const operation = path === undefined ? undefined : document.paths[path]?.[method.toLowerCase()]
  return path === undefined || operation === undefined ? undefined : { path, operation }
}

async function pass(server: string, request: IncomingMessage, response: ServerResponse): Promise<Answered> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const { authorization = '', 'content-type': sent } = request.headers
  const answer = await fetch(`${server}${request.url ?? '/'}`, {
    method: request.method ?? 'GET',
    headers: { authorization, ...(sent !== undefined && { 'content-type': sent }) },
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
  })
  const text = await answer.text()
  const kept = ['content-type', 'content-range', 'etag', 'retry-after'].flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  response.writeHead(answer.status, Object.fromEntries(kept)).end(text)
  return { status: answer.status, type: (answer.headers.get('content-type') ?? '').split(';')[0] ?? '', text }
}
