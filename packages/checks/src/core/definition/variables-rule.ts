import type { CrossFieldRule } from '@vedette/wire'
import { secretMask } from '../secrets/secret-paths.ts'

interface OwnVariables {
  environmentVariables: readonly { value: string; secret: boolean }[] | null
}

/** A secret cannot be turned into a plain variable while its value is still the mask. */
export const variablesRule: CrossFieldRule<OwnVariables> = ({ environmentVariables }) =>
  (environmentVariables ?? []).flatMap(({ value, secret }, index) =>
    secret || value !== secretMask
      ? []
      : [{ path: `environmentVariables.${index}.value`, message: 'is a mask; send the value itself' }],
  )
