import type { Role } from '@vedette/wire'

/** Who may call a route. `agent` routes sign in with a location key in their own plugin. */
export type Access = 'public' | 'agent' | Role | 'operator'

/** The caller, and the account of the call. */
export interface Principal {
  accountId: string
  role: Role
  /** For the audit log: `key:<id>` or `user:<id>`. */
  actor: string
  keyId?: string
  userId?: string
  /** True when a browser session signed in by cookie. */
  cookie: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Answers people of a suspended account too. On all other routes they get a 403, as its keys do on every route. */
    whenSuspended?: boolean
    /** Dotted paths of the body whose values are never shown in an error. */
    secretPaths?: readonly string[]
    /** Statuses of errors that the route answers with, besides those of every route of its kind. The document lists them. */
    errors?: readonly number[]
  }
  interface FastifyRequest {
    /** Set on every route whose access is a role or operator. */
    principal: Principal
  }
  interface FastifyInstance {
    /** Every route with its access, in order of registration. */
    routeTable: RouteEntry[]
  }
}

export interface RouteEntry {
  method: string
  url: string
  access: Access
}
