import { z } from 'zod'
import type { ResultParts } from '../check-type.ts'
import type { ResultSection } from '../result-view.ts'

const errorSchema = z.object({
  message: z.string(),
  stack: z.string().nullable().describe('Where in the script it happened; null when that is not known.'),
})

const logSchema = z.array(
  z.object({ time: z.number().describe('Epoch milliseconds.'), msg: z.string(), level: z.string() }),
)

const files = (of: string) => z.array(z.string()).describe(`Addresses of ${of}.`)

/** What results of all types have that run code of the user. */
export const codeResultFields = {
  errors: z.array(errorSchema).describe('What the code threw, first to last; empty when it passed.'),
  jobLog: logSchema.nullable().describe('What the code wrote; null when it did not run.'),
  jobAssets: z.array(z.string()).nullable().describe('Addresses of files that the code left; null without.'),
  playwrightTestTraces: files('traces'),
  playwrightTestJsonReportFile: z.string().nullable().describe('Address of the report as JSON; null without.'),
}

/** What results of scripts have besides. */
export const scriptResultFields = {
  ...codeResultFields,
  startTime: z.number().nullable().describe('Epoch milliseconds; null when the script did not run.'),
  endTime: z.number().nullable(),
  runtimeVersion: z.string().nullable(),
}

export const videosField = files('videos')

type CodeResult = z.infer<z.ZodObject<typeof codeResultFields>>
type ScriptResult = z.infer<z.ZodObject<typeof scriptResultFields>>

/** The same of a run that did not come to run any code. */
export const noCode = (error: ResultParts<unknown>['error']): CodeResult => ({
  errors: error === undefined ? [] : [{ message: error.text, stack: null }],
  jobLog: null,
  jobAssets: null,
  playwrightTestTraces: [],
  playwrightTestJsonReportFile: null,
})

export const noScript = (error: ResultParts<unknown>['error']): ScriptResult => ({
  ...noCode(error),
  startTime: null,
  endTime: null,
  runtimeVersion: null,
})

/** Milliseconds that the script ran; null when it did not. */
export const scriptMs = ({ startTime, endTime }: Pick<ScriptResult, 'startTime' | 'endTime'>): number | null =>
  startTime === null || endTime === null ? null : endTime - startTime

/** How results of code begin and end on their page. */
export const errorsSection: ResultSection = {
  title: 'Errors',
  about: 'errors',
  parts: [
    {
      kind: 'items',
      path: 'errors',
      title: '{message}',
      parts: [{ kind: 'text', path: 'stack' }],
      nothing: 'None.',
    },
  ],
}

export const logSection: ResultSection = {
  title: 'Log',
  about: 'jobLog',
  otherwise: { text: 'Nothing was run.' },
  parts: [
    {
      kind: 'table',
      path: 'jobLog',
      columns: [
        { label: 'Level', path: 'level' },
        { label: 'Message', path: 'msg' },
      ],
      nothing: 'Nothing was written.',
    },
  ],
}
