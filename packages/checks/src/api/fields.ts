import { z, type ZodRawShape } from 'zod'
import {
  environmentVariablesSchema,
  responseTimeSchema,
  storedEnvironmentVariablesSchema,
} from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { apiRequestSchema, storedApiRequestSchema } from './request-shape.ts'

const snippetId = z.int().positive().nullable()
const script = z.string().max(1_000_000).nullable()
const plainFields = {
  degradedResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check fails.'),
  setupSnippetId: snippetId.describe('Snippet run before the request.'),
  tearDownSnippetId: snippetId.describe('Snippet run after the request.'),
  localSetupScript: script.describe('Node.js code run before the request.'),
  localTearDownScript: script.describe('Node.js code run after the request.'),
}

/** Fields of an API check as they are sent. Source: contract, "API check specific fields". */
export const apiFields = {
  request: apiRequestSchema.describe('The HTTP request to run.'),
  ...plainFields,
  environmentVariables: environmentVariablesSchema.describe('Variables of this check; they win over the account’s.'),
} satisfies ZodRawShape

/** The same, complete. */
export const apiStoredFields = {
  request: storedApiRequestSchema,
  ...plainFields,
  environmentVariables: storedEnvironmentVariablesSchema,
} satisfies ZodRawShape

/** The complete definition of an API check. */
export type ApiDefinition = DefinitionOf<typeof apiStoredFields>
