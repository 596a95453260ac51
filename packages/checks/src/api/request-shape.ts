import { z } from 'zod'
import { apiSourceNames, assertionSchema, basicAuthSchema, completePairs } from '@vedette/wire'
import {
  completeAssertion,
  ipFamilySchema,
  keyValueSchema,
  storedAssertionSchema,
  storedKeyValueSchema,
} from '../core/definition/field-shapes.ts'
import { completeUrl } from './complete-url.ts'

export const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const
export const bodyTypes = ['NONE', 'JSON', 'FORM', 'RAW', 'GRAPHQL'] as const

/** The request of an API check as it is sent. Source: contract, "API check `request` object". */
export const apiRequestSchema = z.strictObject({
  method: z.enum(apiMethods).optional().describe('HTTP method, GET when not sent.'),
  url: z
    .string()
    .min(1)
    .max(2048)
    .meta({
      description:
        'Address; `{{NAME}}` inserts a variable URI-encoded, `{{{NAME}}}` as is. Without a scheme it gets `http://` for localhost and private addresses, else `https://`.',
      examples: ['https://example.com/'],
    }),
  followRedirects: z.boolean().optional(),
  skipSSL: z.boolean().optional().describe('Accept certificates that do not verify.'),
  ipFamily: ipFamilySchema.optional(),
  body: z.string().max(1_000_000).optional(),
  bodyType: z.enum(bodyTypes).optional().describe('How `body` is sent; NONE sends no body.'),
  headers: z.array(keyValueSchema).max(200).optional(),
  queryParameters: z.array(keyValueSchema).max(200).optional(),
  assertions: z.array(assertionSchema(apiSourceNames)).max(200).optional(),
  basicAuth: basicAuthSchema.nullable().optional(),
})

/** The same, complete. */
export const storedApiRequestSchema = z.object({
  method: z.enum(apiMethods),
  url: z.string(),
  followRedirects: z.boolean(),
  skipSSL: z.boolean(),
  ipFamily: ipFamilySchema,
  body: z.string(),
  bodyType: z.enum(bodyTypes),
  headers: z.array(storedKeyValueSchema),
  queryParameters: z.array(storedKeyValueSchema),
  assertions: z.array(storedAssertionSchema),
  basicAuth: z.object({ username: z.string(), password: z.string() }).nullable(),
})
/** A complete request of an API check. */
export type ApiRequest = z.infer<typeof storedApiRequestSchema>

/** Fills what a valid request leaves out. */
export function completeApiRequest(sent: z.infer<typeof apiRequestSchema>): ApiRequest {
  return {
    method: sent.method ?? 'GET',
    // A form that is only begun has none.
    url: completeUrl(sent.url ?? ''),
    followRedirects: sent.followRedirects ?? true,
    skipSSL: sent.skipSSL ?? false,
    ipFamily: sent.ipFamily ?? 'IPv4',
    body: sent.body ?? '',
    bodyType: sent.bodyType ?? 'NONE',
    headers: completePairs(sent.headers),
    queryParameters: completePairs(sent.queryParameters),
    assertions: (sent.assertions ?? []).map(completeAssertion),
    basicAuth: sent.basicAuth ?? null,
  }
}
