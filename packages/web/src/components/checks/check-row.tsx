import { Link } from '@tanstack/react-router'
import type { OverviewRow } from '@vedette/wire'
import { BellOff, UserCheck } from 'lucide-react'
import { memo } from 'react'
import { useConnection } from '../../live/live-provider.tsx'
import { tickLook } from '../../ui/checkbox.tsx'
import { ageText, durationText, percentText } from '../time/format-time.ts'
import { isStale } from '../system/stale.ts'
import { useNow } from '../time/time-text.tsx'
import { RunStrip } from './run-strip.tsx'
import { SparkLine } from './spark-line.tsx'
import { StateIcon, stateLooks } from './state-mark.tsx'
import { waitLabel } from './wait-label.ts'

/** Columns of the list where there is room: what is left out first is what a narrower screen can spare. */
const rowColumns =
  'grid-cols-[1.25rem_minmax(0,1fr)_auto] max-md:group-data-selecting/list:grid-cols-[2rem_1.25rem_minmax(0,1fr)_auto] md:grid-cols-[1rem_6.5rem_minmax(0,1fr)_8.25rem_4rem] lg:grid-cols-[1rem_6.5rem_minmax(0,4fr)_minmax(0,5fr)_8.25rem_4rem_4.5rem_3.5rem_4rem]'

const shownTags = 2
/** Ages and staleness in rows are in tens of seconds: hundreds of rows need not be drawn each second. */
const stepMs = 10_000

interface Props {
  item: OverviewRow
  uptime: number | null | undefined
  isSelected: boolean
  onSelect: (checkId: string, isRange: boolean) => void
  onTag: (tag: string) => void
}

/** One check in the list. */
export const CheckRow = memo(function CheckRow({ item, uptime, isSelected, onSelect, onTag }: Props) {
  const now = useNow(stepMs)
  const stale = isStale(item, now, useConnection() !== 'lost')
  return (
    <div
      className={`relative grid h-full items-center gap-x-3 px-3 ${rowColumns} ${isSelected ? 'bg-accent-wash' : 'hover:bg-sunken'}`}
    >
      <label className="relative z-1 flex items-center max-md:hidden max-md:h-11 max-md:group-data-selecting/list:flex">
        <input
          type="checkbox"
          aria-label={`Select ${item.name}`}
          checked={isSelected}
          onChange={(event) => onSelect(item.checkId, (event.nativeEvent as MouseEvent).shiftKey)}
          className={tickLook}
        />
      </label>
      <State item={item} stale={stale} />
      <span className="flex min-w-0 flex-col justify-center">
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to="/checks/$checkId"
            params={{ checkId: item.checkId }}
            data-check-row={item.checkId}
            className="min-w-0 shrink truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {item.name}
          </Link>
          {item.muted && <BellOff aria-label="muted" className="size-3.5 shrink-0 text-ink-soft" />}
          {item.acknowledged && (
            <UserCheck aria-label={`${item.acknowledged.by} is on it`} className="size-3.5 shrink-0 text-ink-soft" />
          )}
          <Tags tags={item.tags} onTag={onTag} />
        </span>
        <span className="truncate text-sm text-ink-soft lg:hidden">{sayingOf(item)}</span>
      </span>
      <span
        title={sayingOf(item)}
        className={`truncate text-sm max-lg:hidden ${isTrouble(item) ? 'text-ink' : 'text-ink-soft'}`}
      >
        {sayingOf(item)}
      </span>
      <span className="max-md:hidden">
        <RunStrip runs={item.runs} periodMs={item.periodMs} isStale={stale} />
      </span>
      <span className="text-right text-sm max-lg:hidden">{typeof uptime === 'number' && percentText(uptime)}</span>
      <span className="text-right text-sm max-lg:hidden">{item.lastMs !== null && durationText(item.lastMs)}</span>
      <span className="max-lg:hidden">
        <SparkLine runs={item.runs} />
      </span>
      <span className="text-right text-sm whitespace-nowrap text-ink-soft">{sinceText(item, now)}</span>
    </div>
  )
})

/** What the columns mean, where there are columns. */
export function ColumnHeads() {
  return (
    <div
      className={`grid h-8 items-center gap-x-3 border-b border-line px-3 text-xs text-ink-soft max-lg:hidden ${rowColumns}`}
    >
      <span />
      <span>State</span>
      <span>Check</span>
      <span>What it does, or what is wrong</span>
      <span>Last runs</span>
      <span className="text-right">Up 24 h</span>
      <span className="text-right">Last took</span>
      <span>Trend</span>
      <span className="text-right">For</span>
    </div>
  )
}

const isTrouble = ({ state }: OverviewRow) => state === 'failing' || state === 'degraded' || state === 'unknown'

/** What is wrong, or what it does while nothing is. */
const sayingOf = (item: OverviewRow): string =>
  item.notRunnable ?? (isTrouble(item) ? (item.cause ?? item.action) : item.action)

/** How long it has been as it is. */
function sinceText({ stateSince, state }: OverviewRow, now: number): string {
  if (stateSince === null || state === 'paused' || state === 'pending') return ''
  return ageText(Math.max(1000, now - Date.parse(stateSince)))
}

function State({ item, stale }: { item: OverviewRow; stale: boolean }) {
  const { label, ink } = stateLooks[item.state]
  const { failingLocations, locationCount } = item
  const where = failingLocations.length > 0 && locationCount > 1 ? ` ${failingLocations.length}/${locationCount}` : ''
  return (
    <span className={`flex items-center gap-1.5 text-sm font-medium ${stale ? 'text-ink-soft' : ink}`}>
      <StateIcon state={item.state} stale={stale} />
      <span className="truncate max-md:sr-only">
        {stale ? `Was ${label.toLowerCase()}` : (waitLabel(item) ?? label)}
        {where}
      </span>
    </span>
  )
}

function Tags({ tags, onTag }: { tags: readonly string[]; onTag: (tag: string) => void }) {
  if (tags.length === 0) return null
  // Where the name needs the room, tags wrap out of sight, whole.
  return (
    <span className="relative z-1 flex h-5 min-w-0 shrink-[99] flex-wrap gap-1 overflow-hidden max-md:hidden">
      {tags.slice(0, shownTags).map((tag) => (
        <button
          key={tag}
          type="button"
          title={`Checks with the tag ${tag}`}
          onClick={() => onTag(tag)}
          className="max-w-24 truncate rounded-md bg-sunken px-1.5 text-xs leading-5 text-ink-soft hover:text-ink hover:underline"
        >
          {tag}
        </button>
      ))}
      {tags.length > shownTags && <span className="text-xs leading-5 text-ink-soft">+{tags.length - shownTags}</span>}
    </span>
  )
}
