import { useNavigate } from '@tanstack/react-router'
import type { CheckState, Overview } from '@vedette/wire'
import { useEffect, useRef } from 'react'
import type { ChecksSearch } from '../../app/checks-search.ts'
import { StateIcon, stateLooks } from './state-mark.tsx'

const shownStates: readonly CheckState[] = ['failing', 'degraded', 'unknown', 'pending', 'passing', 'paused']

/** Search, tag and state; all of them are kept in the address. */
export function ChecksFilters({ search, overview }: { search: ChecksSearch; overview: Overview }) {
  const navigate = useNavigate()
  const change = (next: Partial<Record<keyof ChecksSearch, string | undefined>>) => {
    const merged = Object.fromEntries(
      Object.entries({ ...search, page: undefined, ...next }).filter(
        ([, value]) => value !== undefined && value !== '',
      ),
    )
    void navigate({ to: '/', search: merged, replace: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox text={search.search ?? ''} onChange={(text) => change({ search: text })} />
      <select
        aria-label="Tag"
        value={search.tag ?? ''}
        onChange={(event) => change({ tag: event.target.value })}
        className="min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 sm:w-56"
      >
        <option value="">All tags</option>
        {overview.tags.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </select>
      <div role="group" aria-label="State" className="flex flex-wrap gap-1">
        {shownStates
          .filter((state) => (overview.counts[state] ?? 0) > 0 || search.state === state)
          .map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={search.state === state}
              onClick={() => change({ state: search.state === state ? undefined : state })}
              className="flex min-h-11 items-center gap-1.5 rounded-lg border border-line px-3 aria-pressed:border-accent aria-pressed:bg-accent-wash"
            >
              <StateIcon state={state} />
              {overview.counts[state] ?? 0} {state === 'pending' ? 'waiting' : stateLooks[state].label.toLowerCase()}
            </button>
          ))}
      </div>
    </div>
  )
}

function SearchBox({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  // The address may change by other means than this box. That must not overwrite what is being typed.
  useEffect(() => {
    if (box.current && box.current !== document.activeElement) box.current.value = text
  }, [text])
  return (
    <input
      ref={box}
      id="search-checks"
      type="search"
      aria-label="Search checks by name or target"
      placeholder="Search name or target  ( / )"
      defaultValue={text}
      onChange={(event) => onChange(event.target.value)}
      className="min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 sm:w-72"
    />
  )
}
