import { z } from 'zod'

/** A run that was asked for. */
export const startedRunResponse = z
  .object({
    checkRunId: z.number().describe('Number of the run, shared by its locations.'),
    resultIds: z.array(z.string()).describe('Ids its results will have.'),
    checkSessionId: z.string().describe('Session that follows the run.'),
    checkSessionLink: z.string().describe('Address of the session in the web app.'),
  })
  .meta({ id: 'StartedRun' })
export type StartedRun = z.infer<typeof startedRunResponse>
