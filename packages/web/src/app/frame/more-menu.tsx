import { useNavigate } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { places } from './places.ts'

interface Props extends Pick<ComponentProps<typeof Menu>, 'trigger'> {
  places: (typeof places)[number][]
}

/** The pages that have no place of their own in the bottom bar. */
export function MoreMenu({ trigger, places: others }: Props) {
  const navigate = useNavigate()
  return (
    <Menu side="top" trigger={trigger}>
      {others.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon aria-hidden="true" />} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuItem icon={<BookOpen aria-hidden="true" />} onSelect={() => window.open('/docs', '_blank', 'noreferrer')}>
        API reference
      </MenuItem>
    </Menu>
  )
}
