import { fillTemplate, valueAt, type ResultFact, type ResultPart, type ResultSection } from '@vedette/checks'
import type { AssertionOutcome } from '@vedette/wire'
import { Panel } from '../../ui/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AssertionTable } from './assertion-table.tsx'
import { BodyView } from './body-view.tsx'
import { KeyValueTable } from './key-value-table.tsx'
import { Moment } from '../time/time-text.tsx'
import { PhaseWaterfall } from './phase-waterfall.tsx'
import { measuredText } from './measured-text.ts'
import { usePickValue } from './pick-value.ts'

/** Renders the type-specific part of a result as its check type describes it. */
export function ResultView({ view, part }: { view: readonly ResultSection[]; part: unknown }) {
  return view.map((section) => <Section key={section.title} section={section} part={part} />)
}

function Section({ section: { title, about, otherwise, parts }, part }: { section: ResultSection; part: unknown }) {
  if (about === undefined || isThere(valueAt(part, about))) {
    return (
      <Panel title={title}>
        <Parts parts={parts} of={part} />
      </Panel>
    )
  }
  if (otherwise === undefined) return null
  const trouble = otherwise.troublePath === undefined ? undefined : valueAt(part, otherwise.troublePath)
  return (
    <Panel title={title}>
      {/* Without trouble of the target nothing failed: the run is not known. */}
      <p className={typeof trouble === 'string' ? 'text-fail' : 'text-ink-soft'}>
        {typeof trouble === 'string' ? trouble : otherwise.text}
      </p>
    </Panel>
  )
}

const isThere = (value: unknown) => value !== undefined && value !== null

function Parts({ parts, of }: { parts: readonly ResultPart[]; of: unknown }) {
  const there = parts.filter((part) => !('path' in part) || isThere(valueAt(of, part.path)))
  const names = [...new Set(there.flatMap(({ tab }) => tab ?? []))]
  const tabs = names.map((name) => {
    const own = there.filter(({ tab }) => tab === name)
    return { id: name, label: name, count: countOf(own, of), content: <PlainParts parts={own} of={of} /> }
  })
  return (
    <>
      <PlainParts parts={there.filter(({ tab }) => tab === undefined)} of={of} />
      {tabs.length > 0 && (
        <div className="mt-2">
          <Tabs label="Parts" tabs={tabs} />
        </div>
      )}
    </>
  )
}

function PlainParts({ parts, of }: { parts: readonly ResultPart[]; of: unknown }) {
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index} className={index === 0 ? undefined : 'mt-3'}>
      <Part part={part} of={of} />
    </div>
  ))
}

/** How many things a tab holds, where it holds a list of names and values alone. */
function countOf(parts: readonly ResultPart[], of: unknown): number | undefined {
  const [only] = parts
  return parts.length === 1 && only?.kind === 'keyValues' ? Object.keys(recordAt(of, only.path)).length : undefined
}

function Part({ part, of }: { part: ResultPart; of: unknown }) {
  switch (part.kind) {
    case 'line':
      return <Line spans={part.spans} of={of} />
    case 'facts':
      return <Facts facts={part.facts} of={of} />
    case 'keyValues':
      return <KeyValueTable values={recordAt(of, part.path)} nothing={part.nothing} source={part.source} />
    case 'text':
      return (
        <BodyView
          text={textOf(valueAt(of, part.path))}
          truncated={part.truncatedPath !== undefined && valueAt(of, part.truncatedPath) === true}
          nothing={part.nothing}
          source={part.source}
        />
      )
    case 'assertions':
      return <AssertionTable assertions={listAt(of, part.path) as AssertionOutcome[]} />
    case 'phases':
      return <PhaseWaterfall durations={recordAt(of, part.path)} {...part} />
    case 'table':
      return <Table part={part} rows={listAt(of, part.path)} />
    case 'items':
      return <Items part={part} items={listAt(of, part.path)} />
  }
}

type PartOf<Kind extends ResultPart['kind']> = Extract<ResultPart, { kind: Kind }>

const spanLooks = { code: 'font-mono break-all', strong: 'font-mono font-semibold', soft: 'text-ink-soft' }

function Line({ spans, of }: { spans: PartOf<'line'>['spans']; of: unknown }) {
  const { pick, takesAll } = usePickValue()
  const shown = spans.flatMap((span) => {
    const filled = fillTemplate(span.text, of)
    return filled === undefined ? [] : [{ ...span, filled }]
  })
  if (shown.length === 0) return null
  return (
    <p>
      {shown.map(({ filled, look, source, sourcePath }, index) => (
        <span key={filled}>
          {index > 0 && ' '}
          {source === undefined || sourcePath === undefined || takesAll ? (
            <span className={spanLooks[look]}>{filled}</span>
          ) : (
            <button
              type="button"
              onClick={() => pick({ source, property: '', value: valueAt(of, sourcePath) })}
              className={`${spanLooks[look]} min-h-6 rounded-sm px-1 hover:bg-accent-wash max-md:min-h-11`}
            >
              {filled}
            </button>
          )}
        </span>
      ))}
    </p>
  )
}

function Facts({ facts, of }: { facts: readonly ResultFact[]; of: unknown }) {
  const known = facts.filter(({ path }) => isThere(valueAt(of, path)))
  return (
    <dl className="grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-4 gap-y-1">
      {known.map(({ label, path, unit }) => (
        <div key={label} className="contents">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="min-w-0 break-words tabular-nums">
            <Measured value={valueAt(of, path)} unit={unit} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ part: { columns, nothing }, rows }: { part: PartOf<'table'>; rows: readonly unknown[] }) {
  if (rows.length === 0) return <p className="text-ink-soft">{nothing}</p>
  return (
    <div className="overflow-x-auto" tabIndex={0}>
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-ink-soft">
            {columns.map(({ label }) => (
              <th key={label} scope="col" className="py-1 pr-3 font-normal">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} className="border-t border-line align-top">
              {columns.map(({ label, path, unit }) => (
                <td key={label} className={`py-1 pr-3 tabular-nums ${cellLook(valueAt(row, path))}`}>
                  <Measured value={valueAt(row, path)} unit={unit} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Longer texts break anywhere, so that a table stays as wide as the screen. */
const cellLook = (value: unknown) => (typeof value === 'string' && value.length > 24 ? 'min-w-36 wrap-anywhere' : '')

/** A value with its unit; a moment in the zone of the reader. */
function Measured({ value, unit }: { value: unknown; unit: ResultFact['unit'] }) {
  return unit === 'moment' && typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? (
    <Moment at={value} />
  ) : (
    measuredText(value, unit)
  )
}

function Items({ part: { title, parts, nothing }, items }: { part: PartOf<'items'>; items: readonly unknown[] }) {
  if (items.length === 0) return <p className="text-ink-soft">{nothing}</p>
  return (
    <ol className="flex flex-col gap-4">
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <h3 className="mb-1 font-semibold break-words">{fillTemplate(title, item) ?? index + 1}</h3>
          <Parts parts={parts} of={item} />
        </li>
      ))}
    </ol>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function recordAt(of: unknown, path: string): Record<string, unknown> {
  const value = valueAt(of, path)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function listAt(of: unknown, path: string): readonly unknown[] {
  const value = valueAt(of, path)
  return Array.isArray(value) ? value : []
}
