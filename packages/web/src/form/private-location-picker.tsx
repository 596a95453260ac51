import { useQuery } from '@tanstack/react-query'
import { privateLocationsQuery } from '../components/locations/private-locations-query.ts'
import { Tick } from '../ui/checkbox.tsx'

interface Props {
  /** Slugs. */
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The account's own locations, as far as it has any. One that was deleted is shown while it is chosen. */
export function PrivateLocationPicker({ chosen, onChange }: Props) {
  const locations = useQuery(privateLocationsQuery)
  const known = locations.data ?? []
  const gone = chosen.filter((slug) => locations.data && !known.some(({ slugName }) => slugName === slug))
  if (known.length === 0 && gone.length === 0) return null
  const toggle = (slug: string, on: boolean) =>
    onChange(on ? [...chosen, slug] : chosen.filter((each) => each !== slug))
  return (
    <details open>
      <summary className="flex h-control w-fit items-center gap-2 text-sm font-medium">
        Private locations
        <span className="font-normal text-ink-soft">
          {chosen.length} of {known.length + gone.length}
        </span>
      </summary>
      <p className="text-sm text-ink-soft">Runs come from the agents in your own networks.</p>
      <div className="grid grid-cols-1 gap-x-4 md:grid-cols-2">
        {known.map(({ slugName, name, agentCount }) => (
          <Tick
            key={slugName}
            label={name === slugName ? name : `${name} (${slugName})`}
            {...(agentCount === 0 && { help: 'No agent runs there now.' })}
            checked={chosen.includes(slugName)}
            onChange={(on) => toggle(slugName, on)}
          />
        ))}
        {gone.map((slug) => (
          <Tick
            key={slug}
            label={slug}
            help="This location was deleted: nothing runs there."
            checked
            onChange={(on) => toggle(slug, on)}
          />
        ))}
      </div>
    </details>
  )
}
