import { agentRoutes, type AgentApiDeps } from '../../../src/agents/index.ts'
import type { Database } from '../../../src/db/database.ts'
import type { App } from '../../../src/http/build-http.ts'
import { openTestHttp } from '../../http.ts'

/** The real routes of the agent protocol, called without a socket. They outlive the processes that serve them. */
export interface AgentRoutes {
  /** The parts of the process that serves the routes now. */
  serve: (deps: AgentApiDeps) => void
  /** Answers a request. When `gone` aborts, the caller has closed the connection. */
  post: (request: AgentRequest, gone: AbortSignal) => Promise<AgentAnswer>
}

export interface AgentAnswer {
  status: number
  retryAfter: string | undefined
  text: string
}

export interface AgentRequest {
  path: string
  key: string
  body: string
}

const callHeader = 'x-simulated-call'

export async function openAgentRoutes(db: Database): Promise<AgentRoutes> {
  let deps: AgentApiDeps | undefined
  const calls = new Map<string, AbortSignal>()
  let count = 0
  const app = await openTestHttp(db, (http) => {
    http.addHook('onRequest', (request, reply, done) => {
      const gone = calls.get(String(request.headers[callHeader]))
      gone?.addEventListener('abort', () => reply.raw.emit('close'))
      done()
    })
    void http.register((scope) =>
      agentRoutes(
        scope as App,
        current(() => deps),
      ),
    )
  })
  return {
    serve: (next) => void (deps = next),
    async post({ path, key, body }, gone) {
      const id = String(++count)
      calls.set(id, gone)
      try {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', [callHeader]: id }
        const answer = await app.inject({ method: 'POST', url: path, headers, payload: body })
        const retryAfter = answer.headers['retry-after']
        return {
          status: answer.statusCode,
          retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
          text: answer.body,
        }
      } finally {
        calls.delete(id)
      }
    },
  }
}

/** Routes keep the parts they were made with: each of these looks up the part of the current process. */
function current(find: () => AgentApiDeps | undefined): AgentApiDeps {
  const parts = new Map<string | symbol, object>()
  const part = (name: keyof AgentApiDeps): object => {
    const read = () => find()?.[name] as object
    // Some parts are functions.
    return new Proxy(() => undefined, {
      get: (_, member) => bound(read(), member),
      apply: (_, self, args) => Reflect.apply(read() as () => unknown, self, args) as unknown,
    })
  }
  return new Proxy({} as AgentApiDeps, {
    get(_, name: keyof AgentApiDeps) {
      if (name === 'leaseMs') return simulatedLeaseMs
      const known = parts.get(name) ?? part(name)
      parts.set(name, known)
      return known
    },
  })
}

/** As the server has it. */
export const simulatedLeaseMs = 30_000

function bound(target: object, member: string | symbol): unknown {
  const value: unknown = Reflect.get(target, member, target)
  return typeof value === 'function' ? value.bind(target) : value
}
