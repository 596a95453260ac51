import { BellOff } from 'lucide-react'
import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { muteChoices } from './mute-choices.ts'

interface Props {
  trigger: ReactElement<Record<string, unknown>>
  side?: 'bottom' | 'top'
  /** `until`: epoch milliseconds; null for good. */
  onMute: (until: number | null, words: string) => void
}

/** For how long nobody is to be notified. */
export function MuteMenu({ trigger, side = 'bottom', onMute }: Props) {
  return (
    <Menu trigger={trigger} side={side}>
      {muteChoices(new Date()).map(({ label, until }) => (
        <MenuItem key={label} icon={<BellOff aria-hidden="true" />} onSelect={() => onMute(until, label.toLowerCase())}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
