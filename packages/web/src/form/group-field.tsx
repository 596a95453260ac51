import { useQuery } from '@tanstack/react-query'
import type { CheckGroup } from '@vedette/wire'
import { groupsQuery } from '../api/groups.ts'
import { Field } from '../ui/field.tsx'
import { useField } from './form-context.ts'
import { IdSelect } from './id-select.tsx'

/** The group of a check, and what of the form does not count because the group says it. Nothing while there are no groups. */
export function GroupField() {
  const { value, set, faulty, complaint } = useField<number | null>('groupId')
  const groups = useQuery(groupsQuery).data ?? []
  if (groups.length === 0 && value === null) return null
  const group = groups.find(({ id }) => id === value)
  const decided = group ? decidedBy(group) : []
  const help = decided.length > 0 ? `The group decides: ${decided.join(', ')}.` : undefined
  return (
    <Field label="Group" faulty={faulty} complaint={complaint} {...(help !== undefined && { help })}>
      {(control) => <IdSelect {...control} value={value} set={set} choices={groups} />}
    </Field>
  )
}

/** What the group sets for its checks, in words. */
function decidedBy(group: CheckGroup): string[] {
  const named = group.locations.length + (group.privateLocations?.length ?? 0) > 0
  const parts = [
    !group.activated && 'that it is paused',
    group.muted && 'that it is muted',
    named && 'its locations',
    group.retryStrategy !== 'FALLBACK' && 'its retries',
    group.runParallel !== null && 'how it runs in several locations',
    (group.useGlobalAlertSettings === true || group.alertSettings !== null) && 'its alert settings',
  ]
  return parts.filter((part) => part !== false)
}
