import { useQuery, useQueries } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { OverviewRow } from '@vedette/wire'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { pageSize, rowsQuery, uptimeQuery } from '../../api/overview.ts'
import type { ChecksSearch } from '../../app/checks-search.ts'
import { useDebounced } from '../../ui/hooks/use-debounced.ts'
import { useStable } from '../../ui/hooks/use-stable.ts'
import { CheckRow, ColumnHeads } from './check-row.tsx'
import { useListKeys } from './list-keys.ts'
import { SectionHead } from './section-head.tsx'
import { lineAt, lineCount, type Line, type Section } from './sections.ts'
import { extendedTo, toggled, type Selection } from './selection.ts'
import { useLineHeights } from './line-heights.ts'

interface Props {
  search: ChecksSearch
  sections: readonly Section[]
  folded: ReadonlySet<string>
  onFold: (key: string) => void
  selection: Selection
  /** Phones show the boxes to tick only then. */
  isSelecting: boolean
  onSelection: (selection: Selection) => void
  onTag: (tag: string) => void
}

/** The rows, of which only those on the screen exist. Rows are read a hundred at a time, as they come into view. */
export function CheckList({ search, sections, folded, onFold, selection, isSelecting, onSelection, onTag }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const { row: rowHeight, head: headHeight } = useLineHeights()
  const [top, setTop] = useState(0)
  const virtual = useWindowVirtualizer({
    count: lineCount(sections, folded),
    estimateSize: (index) => (lineAt(sections, folded, index)?.kind === 'head' ? headHeight : rowHeight),
    overscan: 10,
    scrollMargin: top,
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight, headHeight, sections, folded])
  // What stands above the list changes its height. Measured while nothing scrolls, because measuring costs a layout.
  useLayoutEffect(() => {
    if (virtual.isScrolling) return
    const next = (host.current?.getBoundingClientRect().top ?? 0) + window.scrollY
    if (Math.abs(next - top) >= 1) setTop(next)
  })
  const shown = virtual.getVirtualItems().flatMap((place) => {
    const line = lineAt(sections, folded, place.index)
    return line === undefined ? [] : [{ place, line }]
  })
  const rows = useRows(
    search,
    shown.map(({ line }) => line),
  )
  const uptimes = useUptimes(shown.flatMap(({ line }) => rows.of(line)?.checkId ?? []))
  const order = rows.loaded(sections)
  const select = useStable((checkId: string, isRange: boolean) =>
    onSelection(isRange ? extendedTo(selection, checkId, order) : toggled(selection, checkId)),
  )
  const tag = useStable(onTag)
  useListKeys({ select, show: (index) => virtual.scrollToIndex(index) })
  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return (
    <>
      <ColumnHeads />
      <div
        ref={host}
        role="list"
        aria-label="Checks"
        data-selecting={isSelecting || selection.ids.size > 0 || undefined}
        className="group/list relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ place, line }) => (
          <div
            key={line.kind === 'head' ? `head ${line.section.key}` : `${line.section.key} ${line.at}`}
            role="listitem"
            data-index={place.index}
            className={`absolute inset-x-0 top-0 contain-strict ${line.kind === 'row' ? 'border-b border-line' : ''}`}
            style={{ height: place.size, transform: `translateY(${place.start - top}px)` }}
          >
            {line.kind === 'head' ? (
              <SectionHead section={line.section} isFolded={folded.has(line.section.key)} onFold={onFold} />
            ) : (
              <Row item={rows.of(line)} uptimes={uptimes} selection={selection} onSelect={select} onTag={tag} />
            )}
          </div>
        ))}
        {total === 0 && <p className="p-6 text-ink-soft">No check matches these filters.</p>}
      </div>
    </>
  )
}

interface RowProps {
  item: OverviewRow | undefined
  uptimes: ReadonlyMap<string, number | null>
  selection: Selection
  onSelect: (checkId: string, isRange: boolean) => void
  onTag: (tag: string) => void
}

function Row({ item, uptimes, selection, ...on }: RowProps) {
  if (item === undefined) return <span className="mx-3 mt-3 block h-3 w-1/3 animate-pulse rounded-md bg-sunken" />
  return (
    <CheckRow item={item} uptime={uptimes.get(item.checkId)} isSelected={selection.ids.has(item.checkId)} {...on} />
  )
}

/** The rows of the lines on the screen, as far as they are read. */
function useRows(search: ChecksSearch, lines: readonly Line[]) {
  const pages = new Map<string, { section: Section; page: number }>()
  for (const line of lines) {
    if (line.kind === 'head') continue
    const page = Math.floor(line.at / pageSize)
    pages.set(`${line.section.key} ${page}`, { section: line.section, page })
  }
  const wanted = [...pages.values()]
  const answers = useQueries({ queries: wanted.map(({ section, page }) => rowsQuery(search, section.filter, page)) })
  const byPage = new Map(wanted.map(({ section, page }, at) => [`${section.key} ${page}`, answers[at]?.data]))
  return {
    of: (line: Line): OverviewRow | undefined =>
      line.kind === 'head'
        ? undefined
        : byPage.get(`${line.section.key} ${Math.floor(line.at / pageSize)}`)?.[line.at % pageSize],
    /** Ids of the rows that are read, in their order. */
    loaded: (sections: readonly Section[]): string[] =>
      sections.flatMap((section) =>
        wanted
          .filter((each) => each.section.key === section.key)
          .toSorted((a, b) => a.page - b.page)
          .flatMap(({ page }) => (byPage.get(`${section.key} ${page}`) ?? []).map(({ checkId }) => checkId)),
      ),
  }
}

const scrollingMs = 200
const none: ReadonlyMap<string, number | null> = new Map()

/** Asked for when the list stands still. What is known stays, so that rows do not flicker. */
function useUptimes(checkIds: readonly string[]): ReadonlyMap<string, number | null> {
  const ids = useDebounced(checkIds.slice(0, 100).toSorted().join(','), scrollingMs)
  const known = useRef(none)
  const { data } = useQuery({ ...uptimeQuery(ids === '' ? [] : ids.split(',')), placeholderData: (before) => before })
  if (data !== undefined && data !== known.current) known.current = new Map([...known.current, ...data])
  return known.current
}
