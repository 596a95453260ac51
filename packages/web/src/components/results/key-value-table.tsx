import { useState } from 'react'
import { inputLook } from '../../ui/field.tsx'
import { usePickValue } from './pick-value.ts'

/** So many names are seen at a glance; more can be searched. */
const glance = 8

interface Props {
  values: Record<string, unknown>
  nothing: string
  /** Assertion source that reads a value by its name. */
  source?: string | undefined
}

/** Names and values, such as headers, as a table. */
export function KeyValueTable({ values, nothing, source }: Props) {
  const { pick, title } = usePickValue()
  const [search, setSearch] = useState('')
  const entries = Object.entries(values).map(([name, value]) => [name, String(value)] as const)
  if (entries.length === 0) return <p className="text-ink-soft">{nothing}</p>
  const wanted = search.toLowerCase()
  const shown = entries.filter(([name, value]) => `${name} ${value}`.toLowerCase().includes(wanted))
  return (
    <>
      {entries.length > glance && (
        <input
          type="search"
          aria-label="Search names and values"
          placeholder="Search names and values"
          className={`${inputLook} mb-2 md:w-64`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <table className="w-full table-fixed text-sm">
        <tbody>
          {shown.map(([name, value]) => (
            <tr key={name} className="align-top">
              <th
                scope="row"
                className="w-2/5 py-0.5 pr-3 text-left max-md:py-3 font-normal break-words text-ink-soft md:w-1/4"
              >
                {name}
              </th>
              <td className="font-mono">
                <button
                  type="button"
                  title={title}
                  onClick={() => pick({ source, property: name, value })}
                  className="rounded-sm px-1 py-0.5 text-left break-all whitespace-pre-wrap hover:bg-accent-wash min-h-6 max-md:min-h-11"
                >
                  {value}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="text-sm text-ink-soft">Nothing matches “{search}”.</p>}
    </>
  )
}
