import { z } from 'zod'

/** A field of answers that may be sent back with the others, and is ignored then. */
export const onlyInAnswers = z
  .unknown()
  .optional()
  .meta({ readOnly: true, description: 'Only in answers; ignored in requests.' })
