import { z, type ZodRawShape } from 'zod'
import {
  completeVariables,
  environmentVariablesSchema,
  storedEnvironmentVariablesSchema,
  textOrNull,
} from '../definition/field-shapes.ts'

const longestScript = 1_000_000

const dependenciesSchema = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(1000).describe('Path under which the script imports it.'),
      content: z.string().min(1).max(longestScript),
    }),
  )
  .max(500)
  .nullable()
  .describe('Files that the script imports.')

const scriptPath = z.string().max(1000).nullable().describe('Path of the script in the runtime.')

/** Variables of a check that runs code of the user, as they are sent. */
export const ownVariables = environmentVariablesSchema.describe('Variables of this check; they win over the account’s.')

/** Fields of a check that is a script, as they are sent. Source: contract, "Browser check specific fields". */
export const scriptFields = (ofScript: string) =>
  ({
    script: z
      .string()
      .min(1)
      .max(longestScript)
      .nullable()
      .meta({ description: ofScript, examples: ['console.log("ready")'] }),
    scriptPath,
    dependencies: dependenciesSchema,
    environmentVariables: ownVariables,
  }) satisfies ZodRawShape

/** The same, complete. */
export const storedScriptFields = {
  script: z.string().nullable(),
  scriptPath,
  dependencies: dependenciesSchema
    .optional()
    .describe('Files that the script imports. Left out where they are not asked for.'),
  environmentVariables: storedEnvironmentVariablesSchema,
} satisfies ZodRawShape

/** What a create fills in for them. */
export const scriptDefaults = { scriptPath: null, dependencies: null, environmentVariables: null }

interface Sent {
  scriptPath: string | null
  environmentVariables: z.infer<typeof environmentVariablesSchema>
}

/** Fills what valid fields leave out. */
export const completeScript = <Fields extends Sent>(sent: Fields) => ({
  ...sent,
  scriptPath: textOrNull(sent.scriptPath),
  environmentVariables: completeVariables(sent.environmentVariables),
})
