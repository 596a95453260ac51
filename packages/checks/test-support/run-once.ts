import { systemClock, type Job } from '@vedette/wire'
import { runJob, type ReportBody } from '../src/run.ts'

/** Runs a job now, as an agent does. */
export const runOnce = (job: Job): Promise<ReportBody> =>
  runJob(job, { signal: new AbortController().signal, clock: systemClock, random: () => 0.5 })
