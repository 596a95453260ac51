import { checkStates } from '@vedette/wire'
import { Play, Trash2 } from 'lucide-react'
import { RunStrip } from '../components/checks/run-strip.tsx'
import { StateBadge } from '../components/checks/state-mark.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Chip, RemovableChip, ToggleChip } from '../ui/chip.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Sample } from './sample.tsx'

const tones = ['pass', 'degraded', 'fail', 'unknown', 'quiet', 'accent'] as const
const looks = ['primary', 'plain', 'quiet', 'danger'] as const

const minute = 60_000
const start = Date.UTC(2026, 0, 5, 12)
const runs = Array.from({ length: 24 }, (_, at) => ({
  id: String(at),
  at: new Date(start + (at < 12 ? at : at + 6) * minute).toISOString(),
  outcome: at === 5 || at === 6 ? ('fail' as const) : at === 18 ? ('unknown' as const) : ('pass' as const),
  degraded: at === 9,
  ms: 80 + ((at * 37) % 90),
  location: 'eu-west-1',
  retries: at === 15 ? 1 : 0,
}))

/** Buttons, badges, chips and the signs of a check. */
export function Signs() {
  return (
    <>
      <Sample name="Button">
        {looks.map((look) => (
          <Button key={look} look={look} icon={<Play aria-hidden="true" className="size-4" />}>
            {look}
          </Button>
        ))}
        <Button disabled>disabled</Button>
        <Button look="primary" isBusy>
          busy
        </Button>
      </Sample>
      <Sample name="Icon button">
        <IconButton label="Delete" icon={<Trash2 aria-hidden="true" className="size-4" />} />
        <IconButton label="Pressed" aria-pressed icon={<Play aria-hidden="true" className="size-4" />} />
        <IconButton label="Disabled" disabled icon={<Trash2 aria-hidden="true" className="size-4" />} />
        <Spinner />
      </Sample>
      <Sample name="Badge">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </Sample>
      <Sample name="State of a check">
        {checkStates.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
        <StateBadge state="passing" stale />
      </Sample>
      <Sample name="Chip">
        <Chip>checkout</Chip>
        <Chip>a-tag-of-quite-some-length-that-does-not-fit</Chip>
        <ToggleChip isOn={false}>off</ToggleChip>
        <ToggleChip isOn>on</ToggleChip>
        <RemovableChip label="payments" onRemove={() => undefined} />
      </Sample>
      <Sample name="Last runs">
        <span className="w-40">
          <RunStrip runs={runs} periodMs={minute} />
        </span>
        <span className="w-40">
          <RunStrip runs={runs} periodMs={minute} isStale />
        </span>
        <span className="w-40">
          <RunStrip runs={[]} periodMs={minute} />
        </span>
      </Sample>
    </>
  )
}
