import { storedChoice } from '../../app/stored-choice.ts'
import { ToggleChip } from '../../ui/chip.tsx'

/** What the chart of a check shows, as this reader chose. */
export const chartKind = storedChoice('vedette-chart', ['locations', 'phases'])

/** Response times by location, or the phases of all of them. */
export function ChartKind() {
  const kind = chartKind.use()
  return (
    <div role="group" aria-label="Chart" className="flex gap-1">
      <ToggleChip isOn={kind === 'locations'} onClick={() => chartKind.choose('locations')}>
        By location
      </ToggleChip>
      <ToggleChip isOn={kind === 'phases'} onClick={() => chartKind.choose('phases')}>
        Phases
      </ToggleChip>
    </div>
  )
}
