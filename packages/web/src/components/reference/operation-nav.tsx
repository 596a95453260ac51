import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { inputLook } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { OperationLink } from './operation-link.tsx'
import { matching, type Resource } from './document/operations.ts'

interface Props {
  resources: readonly Resource[]
  /** Id of the operation that is shown. */
  shown: string | undefined
}

/** All operations by resource, with a search. Phones have a select in its place, and the list while they search. */
export function OperationNav({ resources, shown }: Props) {
  const [search, setSearch] = useState('')
  const [isSearching, setSearching] = useState(false)
  const list = useShownInView(shown)
  const found = matching(resources, search)
  const typed = (text: string) => {
    setSearch(text)
    setSearching(text !== '')
  }
  return (
    <nav
      ref={list}
      aria-label="Operations"
      className="flex flex-col gap-2 border-line p-4 max-md:border-b md:sticky md:top-0 md:max-h-dvh md:w-80 md:shrink-0 md:overflow-y-auto md:border-r"
    >
      <input
        type="search"
        aria-label="Search operations"
        placeholder="Search method, path, summary"
        className={`${inputLook} shrink-0`}
        value={search}
        onChange={(event) => typed(event.target.value)}
      />
      <OperationSelect resources={resources} shown={shown} />
      <p role="status" className="sr-only">
        {search !== '' && `${found.reduce((sum, each) => sum + each.operations.length, 0)} operations found`}
      </p>
      <div className={isSearching ? '' : 'max-md:hidden'}>
        {found.length === 0 && <p className="px-2 text-ink-soft">Nothing matches “{search}”.</p>}
        {found.map((resource) => (
          <ResourceLinks key={resource.name} resource={resource} onOpen={() => setSearching(false)} />
        ))}
      </div>
    </nav>
  )
}

/** The list stands where the link of the shown operation is in its middle, unless it is seen already. */
function useShownInView(shown: string | undefined) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`a[href$="#${shown}"]`)
    if (!list.current || !link) return
    const { scrollTop, clientHeight } = list.current
    const isSeen = link.offsetTop >= scrollTop && link.offsetTop + link.offsetHeight <= scrollTop + clientHeight
    if (!isSeen) list.current.scrollTop = link.offsetTop - clientHeight / 2
  }, [shown])
  return list
}

function ResourceLinks({ resource, onOpen }: { resource: Resource; onOpen: () => void }) {
  const id = useId()
  return (
    <div className="mt-3 first:mt-1">
      <p id={id} className="px-2 pb-1 text-sm font-semibold">
        {resource.name}
      </p>
      <ul aria-labelledby={id}>
        {resource.operations.map((operation) => (
          <li key={operation.id}>
            <OperationLink operation={operation} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function OperationSelect({ resources, shown }: Props) {
  const navigate = useNavigate()
  return (
    <Select
      aria-label="Operation"
      className="w-full md:hidden"
      value={shown ?? ''}
      onChange={(event) => void navigate({ to: '/docs', hash: event.target.value })}
    >
      <option value="">All operations</option>
      {resources.map(({ name, operations }) => (
        <optgroup key={name} label={name}>
          {operations.map(({ id, method, path }) => (
            <option key={id} value={id}>{`${method} ${path}`}</option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}
