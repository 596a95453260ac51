import type { Overview } from '@vedette/wire'
import { BellOff, ChevronDown, X } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { groupsQuery } from '../../api/groups.ts'
import { isFiltered, type ChecksSearch, type Grouping, type Order } from '../../app/checks-search.ts'
import { lazyPart } from '../../app/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { RemovableChip, ToggleChip } from '../../ui/chip.tsx'
import { inputLook } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { searchBoxId, takeWish } from './search-focus.ts'
import { StateIcon, stateLooks, statesWorstFirst } from './state-mark.tsx'

const Combobox = lazyPart('after', async () => (await import('../../ui/combobox.tsx')).Combobox)

const typingMs = 200

const groupingLabels: Record<Grouping, string> = {
  state: 'Group by state',
  tag: 'Group by tag',
  host: 'Group by host',
  group: 'By check group',
  none: 'No groups',
}
const orderLabels: Record<Order, string> = {
  trouble: 'Trouble first',
  name: 'By name',
  lastRun: 'By last run',
  responseTime: 'Slowest first',
}

interface Props {
  search: ChecksSearch
  fleet: Pick<Overview, 'counts' | 'tags'>
  onChange: (next: ChecksSearch) => void
}

/** Search and filters; all of them are kept in the address. On phones they scroll sideways. */
export function ChecksToolbar({ search, fleet, onChange }: Props) {
  const change = (part: Partial<Record<keyof ChecksSearch, unknown>>) => {
    const merged = Object.entries({ ...search, ...part }).filter(([, value]) => value !== undefined && value !== '')
    onChange(Object.fromEntries(merged))
  }
  const chosen = search.tag?.split(',') ?? []
  return (
    <div className="flex gap-2 max-md:flex-col md:flex-wrap md:items-center">
      <SearchBox text={search.search ?? ''} onChange={(text) => change({ search: text })} />
      <div className="flex items-center gap-2 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4 max-md:py-0.5 md:contents">
        <div role="group" aria-label="State" className="flex gap-1 md:flex-wrap">
          {statesWorstFirst
            .filter((state) => (fleet.counts[state] ?? 0) > 0 || search.state === state)
            .map((state) => (
              <ToggleChip
                key={state}
                isOn={search.state === state}
                onClick={() => change({ state: search.state === state ? undefined : state })}
              >
                <StateIcon state={state} />
                {fleet.counts[state] ?? 0} {stateLooks[state].label.toLowerCase()}
              </ToggleChip>
            ))}
          <ToggleChip
            isOn={search.muted === true}
            onClick={() => change({ muted: search.muted === true ? undefined : true })}
          >
            <BellOff aria-hidden="true" className="size-4 text-ink-soft" /> muted
          </ToggleChip>
        </div>
        <Suspense
          fallback={
            <span
              aria-hidden="true"
              className="flex h-control items-center gap-2 rounded-md border border-line px-2.5 text-ink-soft"
            >
              Tags <ChevronDown className="size-4" />
            </span>
          }
        >
          <Combobox
            label="Tags"
            placeholder="Tags"
            items={fleet.tags}
            chosen={chosen}
            onChange={(tags) => change({ tag: tags.join(',') })}
          />
        </Suspense>
        {search.host !== undefined && (
          <RemovableChip label={`host ${search.host}`} onRemove={() => change({ host: undefined })} />
        )}
        {search.inGroup !== undefined && (
          <GroupChip id={search.inGroup} onRemove={() => change({ inGroup: undefined })} />
        )}
        {isFiltered(search) && (
          <Button look="quiet" icon={<X aria-hidden="true" className="size-4" />} onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}

function GroupChip({ id, onRemove }: { id: number; onRemove: () => void }) {
  const groups = useQuery(groupsQuery)
  const name = groups.data?.find((each) => each.id === id)?.name ?? id
  return <RemovableChip label={`group ${name}`} onRemove={onRemove} />
}

/** How the list is grouped and ordered. */
export function Arrangement({ search, onChange }: Omit<Props, 'fleet'>) {
  const { group, sort, ...others } = search
  const choose = (arranged: { group: Grouping; sort: Order }) =>
    onChange({
      ...others,
      ...(arranged.group !== 'state' && { group: arranged.group }),
      ...(arranged.sort !== 'trouble' && { sort: arranged.sort }),
    })
  const now = { group: group ?? 'state', sort: sort ?? 'trouble' } as const
  return (
    <span className="flex shrink-0 gap-1">
      <Select
        aria-label="Groups"
        look="quiet"
        value={now.group}
        onChange={(event) => choose({ ...now, group: event.target.value as Grouping })}
      >
        {Object.entries(groupingLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        look="quiet"
        value={now.sort}
        onChange={(event) => choose({ ...now, sort: event.target.value as Order })}
      >
        {Object.entries(orderLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </span>
  )
}

/** What is typed goes into the address when the typing rests. */
function SearchBox({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (takeWish()) box.current?.focus()
    return () => clearTimeout(timer.current)
  }, [])
  // The address may change by other means than this box. That must not overwrite what is being typed.
  useEffect(() => {
    if (box.current && box.current !== document.activeElement) box.current.value = text
  }, [text])
  return (
    <input
      ref={box}
      id={searchBoxId}
      type="search"
      aria-label="Search checks by name or target"
      placeholder="Search name or target  ( / )"
      defaultValue={text}
      onChange={(event) => {
        const typed = event.target.value
        clearTimeout(timer.current)
        timer.current = setTimeout(() => onChange(typed), typingMs)
      }}
      className={`${inputLook} md:w-60`}
    />
  )
}
