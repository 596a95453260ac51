import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** What a write did. */
export const auditActions = [
  'create',
  'update',
  'delete',
  'revoke',
  'run',
  'acknowledge',
  'restore',
  'trigger',
  'cancel',
] as const
export type AuditAction = (typeof auditActions)[number]

const snapshot = z.record(z.string(), z.unknown()).nullable()

/** One change: who did what to which thing, and how it was before and after. */
export const auditEntry = z
  .object({
    id: z.string(),
    at: dateTime,
    actor: z.string().describe('`user:<id>`, `key:<id>`, or the part of the program that acted by itself.'),
    actorName: z.string().describe('The e-mail address of a person, the name of a key.'),
    action: z.enum(auditActions),
    resource: z.string().describe('As in paths: `checks`, `variables`, …'),
    resourceId: z.string(),
    requestId: z.string().describe('The `x-request-id` of the answer to the request.'),
    before: snapshot.describe('The thing before the change as the API answers it, secrets masked.'),
    after: snapshot.describe('The same after the change.'),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>
