import { z } from 'zod'

/** The one error body. `message` states the first problem, `validation.keys` names all of them. */
export const errorBody = z.object({
  statusCode: z.int(),
  error: z.string(),
  message: z.string(),
  validation: z.object({ source: z.enum(['payload', 'query', 'params']), keys: z.array(z.string()) }).optional(),
  requestId: z.string().optional(),
})
export type ErrorBody = z.infer<typeof errorBody>
