import type { CheckPhases } from '@vedette/wire'
import { useZone } from '../../../app/reader-choices.ts'
import { absoluteTime, durationText } from '../../time/format-time.ts'
import { Moment } from '../../time/time-text.tsx'
import { phaseColours } from './chart-colours.ts'
import { holds } from './chart-data.ts'
import { NumbersTable } from './chart-table.tsx'
import { TipBox, type Pointed } from './chart-tip.tsx'

const measured = (ms: number | null | undefined) => (ms === null || ms === undefined ? 'none' : durationText(ms))

/** Which colour is which phase, from the first to the last. */
export function PhaseLegend({ phases: { phases } }: { phases: CheckPhases }) {
  return (
    <>
      {phases.map(({ name, label }, at) => (
        <span key={name} className="flex items-center gap-1.5">
          <Swatch at={at} />
          {label}
        </span>
      ))}
      <span>mean of all locations, first phase at the bottom</span>
    </>
  )
}

const Swatch = ({ at }: { at: number }) => (
  <svg aria-hidden="true" viewBox="0 0 12 12" className="size-3 shrink-0">
    <rect width="12" height="12" rx="2" fill={phaseColours[at] ?? 'gray'} />
  </svg>
)

/** The phases under the pointer, the last on top as in the chart. */
export function PhaseTip({
  pointed,
  phases: { phases, buckets, bucketMs },
}: {
  pointed: Pointed
  phases: CheckPhases
}) {
  const utc = useZone() === 'utc'
  const bucket = buckets.find((each) => holds(each, bucketMs, pointed.seconds))
  if (bucket === undefined) return null
  return (
    <TipBox pointed={pointed} title={absoluteTime(Date.parse(bucket.at), utc)}>
      {phases
        .map(({ name, label }, at) => (
          <p key={name} className="flex items-center gap-1.5">
            <Swatch at={at} />
            <span className="min-w-0 flex-1 truncate text-ink-soft">{label}</span>
            <span className="whitespace-nowrap">{measured(bucket.mean[at])}</span>
          </p>
        ))
        .toReversed()}
    </TipBox>
  )
}

/** The same numbers as a table, newest first. */
export function PhaseTable({ phases: { phases, buckets } }: { phases: CheckPhases }) {
  return (
    <NumbersTable
      caption="Phases, mean"
      columns={[
        { label: 'From' },
        { label: 'Runs', isNumber: true },
        ...phases.map(({ label }) => ({ label, isNumber: true })),
      ]}
      rows={() =>
        buckets.toReversed().map(({ at, runs, mean }) => ({
          key: at,
          cells: [
            <span key="at" className="whitespace-nowrap">
              <Moment at={at} />
            </span>,
            runs,
            ...mean.map(measured),
          ],
        }))
      }
    />
  )
}

export function phasesSentence({ phases, buckets }: CheckPhases): string {
  const last = buckets.at(-1)
  const parts = phases.map(({ label }, at) => `${label} ${measured(last?.mean[at])}`)
  return `Phases of runs, most recently ${new Intl.ListFormat('en').format(parts)}`
}
