import { z } from 'zod'
import { assertionSchema } from '@vedette/wire'
import { completeAssertion, ipFamilySchema, storedAssertionSchema } from '../core/definition/field-shapes.ts'
import { completeUrl } from '../core/http-exchange/complete-url.ts'

/** The request of a URL check as it is sent. */
export const urlRequestSchema = z.strictObject({
  method: z.literal('GET').optional().describe('Always GET.'),
  url: z
    .string()
    .min(1)
    .max(2048)
    .meta({
      description:
        'Address; `{{NAME}}` inserts a variable URI-encoded, `{{{NAME}}}` as is. Without a scheme it gets `http://` for localhost and private addresses, else `https://`.',
      examples: ['https://example.com/'],
    }),
  followRedirects: z.boolean().optional().describe('true when not sent.'),
  skipSSL: z.boolean().optional().describe('Accept certificates that do not verify.'),
  ipFamily: ipFamilySchema.optional(),
  assertions: z
    .array(assertionSchema(['STATUS_CODE']))
    .max(200)
    .optional(),
})

/** The same, complete. */
export const storedUrlRequestSchema = z.object({
  method: z.literal('GET'),
  url: z.string(),
  followRedirects: z.boolean(),
  skipSSL: z.boolean(),
  ipFamily: ipFamilySchema,
  assertions: z.array(storedAssertionSchema),
})
/** A complete request of a URL check. */
export type UrlRequest = z.infer<typeof storedUrlRequestSchema>

/** Fills what a valid request leaves out. */
export function completeUrlRequest(sent: z.infer<typeof urlRequestSchema>): UrlRequest {
  return {
    method: 'GET',
    // A form that is only begun has none.
    url: completeUrl(sent.url ?? ''),
    followRedirects: sent.followRedirects ?? true,
    skipSSL: sent.skipSSL ?? false,
    ipFamily: sent.ipFamily ?? 'IPv4',
    assertions: (sent.assertions ?? []).map(completeAssertion),
  }
}
