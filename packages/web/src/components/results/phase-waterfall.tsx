import type { PhaseLabel } from '@vedette/checks'
import { durationText } from '../time/format-time.ts'

interface Phases {
  durations: Record<string, unknown>
  /** In the order they happen. */
  phases: readonly PhaseLabel[]
  /** Name of the duration of the whole. */
  total: string
  /** Durations that are no part of it. */
  beside?: readonly PhaseLabel[]
}

/** The durations of all phases. The numbers stand beside the bars, so it can be read as a table. */
export function PhaseWaterfall({ durations, phases, total: totalName, beside = [] }: Phases) {
  const shown = measured(phases, durations)
  const whole = durations[totalName]
  const total = Math.max(
    0.001,
    shown.reduce((sum, { ms }) => sum + ms, 0),
  )
  let start = 0
  return (
    <table className="w-full">
      <caption className="sr-only">Duration of each phase of the request</caption>
      <tbody>
        {shown.map(({ name, label, ms, isRest }) => {
          const offset = start
          start += ms
          return (
            <tr key={name}>
              <th scope="row" className="py-1 pr-3 text-left font-normal text-ink-soft md:whitespace-nowrap">
                {label}
              </th>
              <td className="w-full">
                <div aria-hidden="true" className="h-3 rounded-sm bg-sunken">
                  {ms > 0 && !isRest && (
                    <div
                      className="h-3 min-w-px rounded-sm bg-accent"
                      style={{ marginLeft: `${(offset / total) * 100}%`, width: `${(ms / total) * 100}%` }}
                    />
                  )}
                </div>
              </td>
              <td className="py-1 pl-3 text-right whitespace-nowrap">
                {ms === 0 ? <span className="text-ink-soft">none</span> : durationText(ms)}
              </td>
            </tr>
          )
        })}
        <tr className="border-t border-line font-semibold">
          <th scope="row" className="py-1 text-left">
            Total
          </th>
          <td />
          <td className="py-1 pl-3 text-right whitespace-nowrap">
            {durationText(typeof whole === 'number' ? whole : total)}
          </td>
        </tr>
        {measured(beside, durations).map(({ name, label, ms }) => (
          <tr key={name} className="text-ink-soft">
            <th scope="row" colSpan={2} className="py-1 text-left font-normal">
              {label}
            </th>
            <td className="py-1 pl-3 text-right whitespace-nowrap">{durationText(ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The phases that the run has. */
const measured = (phases: readonly PhaseLabel[], durations: Record<string, unknown>) =>
  phases.flatMap((phase) => {
    const ms = durations[phase.name]
    return typeof ms === 'number' ? [{ ...phase, ms }] : []
  })
