import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { locations } from '@vedette/wire'
import { agentsQuery } from '../components/locations/agents-query.ts'
import { Tick } from '../ui/checkbox.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { locationGroups } from './location-groups.ts'

interface Props {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** From where a check runs. Says where an agent really is: the built-in one stands in for regions without their own. */
export function LocationPicker({ chosen, onChange }: Props) {
  const agents = useQuery(agentsQuery)
  if (agents.isPending) return <Skeleton label="Reading locations" />
  const groups = locationGroups(locations, agents.data ?? [], chosen)
  const toggle = (location: string, on: boolean) =>
    onChange(locations.filter((each) => (each === location ? on : chosen.includes(each))))
  return (
    <div className="flex flex-col gap-3">
      {groups.map(({ title, help, members, isFolded }) => (
        <details key={title} open={!isFolded}>
          <summary className="flex h-control w-fit items-center gap-2 text-sm font-medium">
            {title}
            <span className="font-normal text-ink-soft">
              {members.filter((each) => chosen.includes(each)).length} of {members.length}
            </span>
          </summary>
          <p className="text-sm text-ink-soft">{help}</p>
          <div className="grid grid-cols-2 gap-x-4 md:grid-cols-4">
            {members.map((location) => (
              <Tick
                key={location}
                label={location}
                checked={chosen.includes(location)}
                onChange={(on) => toggle(location, on)}
              />
            ))}
          </div>
        </details>
      ))}
      <p className="text-sm text-ink-soft">
        To run from another place, start an agent there:{' '}
        <Link to="/locations" className="text-accent underline">
          make a private location or a key of a region under Locations
        </Link>
        .
      </p>
    </div>
  )
}
