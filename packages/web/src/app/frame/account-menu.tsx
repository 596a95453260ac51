import { useNavigate } from '@tanstack/react-router'
import type { Profile } from '@vedette/wire'
import { CircleUserRound, LogOut, Settings } from 'lucide-react'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { Menu, MenuChoice, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { chooseDensity, chooseZone, useDensity, useZone } from '../reader-choices.ts'
import { useSignOut, useSwitchAccount } from '../session-changes.ts'
import { chooseTheme, useTheme } from '../theme.ts'

const themes = [
  { value: 'system', label: 'Like the device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
const zones = [
  { value: 'local', label: 'Zone of this device' },
  { value: 'utc', label: 'UTC' },
] as const
const densities = [
  { value: 'compact', label: 'Compact rows' },
  { value: 'comfortable', label: 'Comfortable rows' },
] as const

/** Who is signed in, and how this reader wants to see the app. */
export function AccountMenu({ profile }: { profile: Profile }) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const switchTo = useSwitchAccount()
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Account and appearance" className={iconButtonLook}>
          <CircleUserRound aria-hidden="true" className="size-5" />
        </button>
      }
    >
      <p className="max-w-64 px-2.5 pt-1 pb-1.5 text-sm break-words text-ink-soft">
        <span className="block font-medium text-ink">{profile.email}</span>
        {profile.isOwner ? 'owner' : profile.role} of {profile.accountName}
      </p>
      <MenuDivider />
      {profile.accounts.length > 1 && (
        <>
          <MenuChoice
            label="Account"
            value={profile.accountId}
            choices={profile.accounts.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={switchTo}
          />
          <MenuDivider />
        </>
      )}
      <MenuChoice label="Theme" value={useTheme()} choices={themes} onChoose={chooseTheme} />
      <MenuChoice label="Times" value={useZone()} choices={zones} onChoose={chooseZone} />
      <MenuChoice label="Rows" value={useDensity()} choices={densities} onChoose={chooseDensity} />
      <MenuDivider />
      <MenuItem icon={<Settings aria-hidden="true" />} onSelect={() => void navigate({ to: '/settings' })}>
        Settings
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={signOut}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
