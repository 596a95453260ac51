import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConfigurationPlan, PlannedResource } from '@vedette/wire'
import { useState } from 'react'
import { ApiFailure, call, withQuery } from '../../api/client.ts'
import { readFiles, refusedProblems, type Problem, type ReadFiles, type SourceFile } from './read-files.ts'

/** What an import is made of. */
export interface ImportInput {
  files: readonly SourceFile[]
  /** Delete what is not in the files, of the kinds that they have. */
  remove: boolean
  /** Values of secrets by their name. */
  values: Readonly<Record<string, string>>
}

/** What came of the last step. */
export type Outcome =
  | { step: 'refused'; problems: readonly Problem[] }
  /** `isAnother`: something was changed meanwhile, and this is not the plan that was to be applied. */
  | { step: 'planned'; plan: readonly PlannedResource[]; isAnother: boolean }
  | { step: 'applied'; plan: readonly PlannedResource[] }

interface Step {
  input: ImportInput
  /** The plan that is to be applied; left out where one is only asked for. */
  agreed?: readonly PlannedResource[]
}

/** Plans an import, and applies the plan that was seen. What came of it stays until the next step went well. */
export function useImport(onApplied: () => void) {
  const client = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const { mutate, reset, isPending, error, variables } = useMutation({
    mutationFn: take,
    onSuccess: async (next) => {
      setOutcome(next)
      if (next.step !== 'applied') return
      onApplied()
      await client.invalidateQueries()
    },
  })
  return {
    outcome,
    isPending,
    isApplying: isPending && variables.agreed !== undefined,
    /** Why there was no outcome. */
    fault: error === null ? undefined : faultText(error, variables?.agreed !== undefined),
    take: mutate,
    /** The files are other ones now: what was said of them no longer holds. */
    forget: () => {
      setOutcome(undefined)
      reset()
    },
  }
}

const faultText = ({ message }: Error, wasApplying: boolean): string =>
  wasApplying ? `${message} Make the plan again to see whether it was applied.` : message

async function take({ input, agreed }: Step): Promise<Outcome> {
  const read = readFiles(input.files)
  if (read.problems.length > 0) return { step: 'refused', problems: read.problems }
  try {
    const { plan } = await send(input, read, true)
    if (agreed === undefined) return { step: 'planned', plan, isAnother: false }
    // The server keeps no plan: an import does what follows from the files and from what is there at that moment.
    if (JSON.stringify(plan) !== JSON.stringify(agreed)) return { step: 'planned', plan, isAnother: true }
    return { step: 'applied', plan: (await send(input, read, false)).plan }
  } catch (error) {
    if (!(error instanceof ApiFailure) || (error.status !== 400 && error.status !== 409)) throw error
    return { step: 'refused', problems: refusedProblems(error.message, error.keys, read.placeOf) }
  }
}

function send(
  { remove, values }: ImportInput,
  { document, references }: ReadFiles,
  dryRun: boolean,
): Promise<ConfigurationPlan> {
  const secrets = Object.fromEntries(
    references.flatMap((name) => {
      const value = values[name] ?? ''
      return value === '' ? [] : [[name, value] as const]
    }),
  )
  return call('POST', withQuery('/v1/import', { dryRun, delete: remove }), { ...document, secrets })
}
