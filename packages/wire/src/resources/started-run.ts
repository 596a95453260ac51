import { z } from 'zod'

/** A run that was asked for. */
export const startedRunResponse = z
  .object({
    checkRunId: z.number().describe('Number of the run, shared by its locations.'),
    resultIds: z.array(z.string()).describe('Ids its results will have.'),
  })
  .meta({ id: 'StartedRun' })
export type StartedRun = z.infer<typeof startedRunResponse>
