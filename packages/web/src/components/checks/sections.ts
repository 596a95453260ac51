import type { CheckState, OverviewGroup } from '@vedette/wire'
import type { SectionFilter } from '../../api/overview.ts'
import type { Grouping } from '../../app/checks-search.ts'

/** A part of the list that folds. */
export interface Section {
  key: string
  title: string
  total: number
  counts: Partial<Record<CheckState, number>>
  filter: SectionFilter
}

/** A line of the list: the head of a section or one of its rows. */
export type Line = { kind: 'head'; section: Section } | { kind: 'row'; section: Section; at: number }

const stateTitles: Record<string, string> = {
  trouble: 'Trouble',
  waiting: 'Waiting for the first run',
  passing: 'Passing',
  muted: 'Muted',
  paused: 'Paused',
}

/** The parts of the list. A list that is not grouped is one part without a head. */
export function sectionsOf(grouping: Grouping, total: number, groups: readonly OverviewGroup[] = []): Section[] {
  if (grouping === 'none') return [{ key: 'all', title: '', total, counts: {}, filter: {} }]
  return groups.map(({ key, label, total: size, counts }) => ({
    key: key ?? '',
    title: grouping === 'state' ? (stateTitles[key ?? ''] ?? 'Others') : (label ?? nameless[grouping]),
    total: size,
    counts,
    filter: filterOf(grouping, key),
  }))
}

/** Titles of the checks that have none of what the list is grouped by. */
const nameless = { tag: 'Without a tag', host: 'Without a host', group: 'In no group' } as const

function filterOf(grouping: Grouping, key: string | null): SectionFilter {
  if (grouping === 'state') return { section: key ?? '' }
  if (grouping === 'host') return { host: key ?? '' }
  if (grouping === 'group') return key === null ? { ungrouped: true } : { group: key }
  return key === null ? { untagged: true } : { tag: key }
}

/** How many lines the list has while the sections in `folded` show their head alone. */
export const lineCount = (sections: readonly Section[], folded: ReadonlySet<string>): number =>
  sections.reduce((sum, section) => sum + linesOf(section, folded), 0)

const hasHead = ({ title }: Section): boolean => title !== ''

const linesOf = (section: Section, folded: ReadonlySet<string>): number =>
  Number(hasHead(section)) + (folded.has(section.key) ? 0 : section.total)

/** The line at a place of the list; undefined past its end. */
export function lineAt(sections: readonly Section[], folded: ReadonlySet<string>, index: number): Line | undefined {
  let rest = index
  for (const section of sections) {
    const lines = linesOf(section, folded)
    if (rest < lines) {
      const at = rest - Number(hasHead(section))
      return at < 0 ? { kind: 'head', section } : { kind: 'row', section, at }
    }
    rest -= lines
  }
  return undefined
}
