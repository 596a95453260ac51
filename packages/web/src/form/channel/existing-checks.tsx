import { useQuery } from '@tanstack/react-query'
import type { BulkOutcome } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { fleetQuery } from '../../api/overview.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

/** Which of the checks there are a new channel is to hear of. */
export interface ExistingChoice {
  which: 'none' | 'all' | 'tag'
  tag: string
}

export const nothingExisting: ExistingChoice = { which: 'none', tag: '' }

interface Props {
  chosen: ExistingChoice
  onChange: (chosen: ExistingChoice) => void
}

/** A new channel hears of new checks; of those there are only when this is chosen. */
export function ExistingChecks({ chosen, onChange }: Props) {
  const fleet = useQuery(fleetQuery({}))
  const total = fleet.data?.total ?? 0
  if (total === 0) return null
  const value = chosen.which === 'tag' ? `tag ${chosen.tag}` : chosen.which
  const choose = (next: string) =>
    onChange(
      next.startsWith('tag ')
        ? { which: 'tag', tag: next.slice(4) }
        : { which: next === 'all' ? 'all' : 'none', tag: '' },
    )
  return (
    <Field label={`The ${total === 1 ? 'check' : `${total} checks`} there ${total === 1 ? 'is' : 'are'} already`}>
      {(control) => (
        <Select {...control} className="md:w-96" value={value} onChange={(event) => choose(event.target.value)}>
          <option value="none">Leave as they are</option>
          <option value="all">Subscribe all of them</option>
          {fleet.data?.tags.map((tag) => (
            <option key={tag} value={`tag ${tag}`}>
              Subscribe those with the tag {tag}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** Subscribes checks to a channel that was just made. What is refused is told; the channel stays. */
export async function subscribeExisting(channel: number, { which, tag }: ExistingChoice): Promise<void> {
  const body = { all: true, ...(which === 'tag' && { tag }), change: { addChannels: [channel] } }
  try {
    const { changed, refused } = await call<BulkOutcome>('POST', '/v1/checks/bulk', body)
    toast(`${changed.length} ${changed.length === 1 ? 'check is' : 'checks are'} subscribed.`)
    for (const { message } of refused.slice(0, 3)) toast(message, 'fault')
    if (refused.length > 3) toast(`${refused.length - 3} more checks could not be subscribed.`, 'fault')
  } catch (error) {
    toast(
      `The channel was made, but no check was subscribed: ${error instanceof Error ? error.message : String(error)}`,
      'fault',
    )
  }
}
