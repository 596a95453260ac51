import { z } from 'zod'

/** Stages in the life of a runtime. Source: contract, "Versioning". */
export const runtimeStages = ['ALPHA', 'BETA', 'CURRENT', 'DEPRECATED', 'REMOVED', 'STABLE'] as const

const name = z.string().min(1)

/** A fixed set of Node.js and packages that scripts of checks run on, as its manifest and the API state it. */
export const runtimeResponse = z
  .strictObject({
    name: name.describe('Its id, as checks name it.'),
    stage: z.enum(runtimeStages).optional(),
    runtimeEndOfLife: name.optional().describe('When it is removed; absent while that is not planned.'),
    nodeJsVersion: name.describe('The full version of Node.js.'),
    multiStepSupport: z.boolean().describe('Multi-step checks can use it.'),
    description: name.optional(),
    dependencies: z.record(name, name).describe('Packages that scripts can import, with their versions.'),
  })
  .meta({ id: 'Runtime' })
export type Runtime = z.infer<typeof runtimeResponse>
