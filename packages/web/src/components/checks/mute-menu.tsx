import { BellOff } from 'lucide-react'
import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { muteChoices } from './mute-choices.ts'

interface Props {
  trigger: ReactElement<Record<string, unknown>>
  /** `until`: epoch milliseconds; null for good. */
  onMute: (until: number | null, words: string) => void
}

/** For how long nobody is to be notified. */
export function MuteMenu({ trigger, onMute }: Props) {
  return (
    <Menu trigger={trigger}>
      {muteChoices(new Date()).map(({ label, until }) => (
        <MenuItem key={label} icon={<BellOff aria-hidden="true" />} onSelect={() => onMute(until, label.toLowerCase())}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
