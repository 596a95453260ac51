import { checkTypes } from '@vedette/checks'
import type { useNavigate } from '@tanstack/react-router'
import type { CheckState } from '@vedette/wire'
import { chooseZone, toggleSideBar } from '../reader-choices.ts'
import { chooseTheme } from '../theme.ts'
import { places } from './places.ts'

/** Something the command palette can do or open. */
export interface Command {
  id: string
  label: string
  /** Of a check, its state. */
  state?: CheckState
  act: () => void
}

type Navigate = ReturnType<typeof useNavigate>

/** Pages and actions, whatever is typed. */
export function fixedCommands(navigate: Navigate): { pages: Command[]; actions: Command[] } {
  return {
    pages: places.map(({ to, label }) => ({ id: `page:${to}`, label, act: () => void navigate({ to }) })),
    actions: [
      ...checkTypes.map(({ type, path, title, awaitsRunner }) => ({
        id: `new:${type}`,
        label: `New ${title} check${awaitsRunner ? ' (no runner yet)' : ''}`,
        act: () => void navigate({ to: '/checks/new/$path', params: { path } }),
      })),
      { id: 'theme:light', label: 'Theme: light', act: () => chooseTheme('light') },
      { id: 'theme:dark', label: 'Theme: dark', act: () => chooseTheme('dark') },
      { id: 'theme:system', label: 'Theme: as the device', act: () => chooseTheme('system') },
      { id: 'zone:utc', label: 'Times in UTC', act: () => chooseZone('utc') },
      { id: 'zone:local', label: 'Times in the zone of this device', act: () => chooseZone('local') },
      { id: 'side-bar', label: 'Widen or slim the side bar', act: toggleSideBar },
      { id: 'api', label: 'API reference', act: () => void window.open('/docs', '_blank', 'noreferrer') },
    ],
  }
}

/** Those whose label contains every word that was typed. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}
