import { holds, memberPath } from './parsed-json.ts'
import { usePickValue } from './pick-value.ts'

/** Members that are drawn at once; a search finds the others. */
const shownMembers = 200
/** Levels that are open at first. */
const openLevels = 3

interface Props {
  value: unknown
  search: string
  /** Assertion source that reads its members. */
  source?: string | undefined
}

/** A JSON value whose objects and lists fold. A click on a value picks it. */
export function JsonTree({ value, search, source }: Props) {
  return <Members value={value as object} path="$" level={0} wanted={search.toLowerCase()} source={source} />
}

interface MembersProps {
  value: object
  path: string
  level: number
  wanted: string
  source: string | undefined
}

function Members({ value, path, level, wanted, source }: MembersProps) {
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([key, member]) => holds(key, member, wanted))
  if (members.length === 0) return <span className="text-ink-soft">{isList ? '[]' : '{}'}</span>
  return (
    <ul className={level === 0 ? '' : 'border-l border-line pl-4'}>
      {members.slice(0, shownMembers).map(([key, member]) => (
        <Member
          key={key}
          name={key}
          value={member}
          path={memberPath(path, isList ? Number(key) : key)}
          level={level}
          wanted={wanted}
          source={source}
        />
      ))}
      {members.length > shownMembers && (
        <li className="text-ink-soft">{members.length - shownMembers} more; search for them.</li>
      )}
    </ul>
  )
}

function Member({
  name,
  value,
  path,
  level,
  wanted,
  source,
}: { name: string; value: unknown } & Omit<MembersProps, 'value'>) {
  const { pick, title } = usePickValue()
  if (typeof value !== 'object' || value === null)
    return (
      <li>
        <button
          type="button"
          title={`${title}: ${path}`}
          onClick={() => pick({ source, property: path, value })}
          className="rounded-sm px-1 text-left break-all hover:bg-accent-wash min-h-6 max-md:min-h-11"
        >
          <span className="text-ink-soft">{name}: </span>
          <span className={typeof value === 'string' ? 'text-pass' : 'text-unknown'}>{JSON.stringify(value)}</span>
        </button>
      </li>
    )
  const size = Object.keys(value).length
  if (size === 0)
    return (
      <li className="min-h-6 px-1">
        <span className="text-ink-soft">
          {name}: {Array.isArray(value) ? '[]' : '{}'}
        </span>
      </li>
    )
  // A name that matches by itself shows all that is in it.
  const inner = name.toLowerCase().includes(wanted) ? '' : wanted
  return (
    <li>
      <details open={level < openLevels || wanted !== ''}>
        <summary className="px-1 min-h-6 max-md:min-h-11">
          <span className="text-ink-soft">
            {name}: {countText(size, Array.isArray(value) ? 'item' : 'field')}
          </span>
        </summary>
        <Members value={value} path={path} level={level + 1} wanted={inner} source={source} />
      </details>
    </li>
  )
}

const countText = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
