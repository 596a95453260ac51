import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Profile } from '@vedette/wire'
import { CircleUserRound, LogOut, Settings } from 'lucide-react'
import { call } from '../../api/client.ts'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { Menu, MenuChoice, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { chooseDensity, chooseZone, useDensity, useZone } from '../reader-choices.ts'
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
        {profile.role} of {profile.accountName}
      </p>
      <MenuDivider />
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

/** Ends the session at the server and leads to the sign-in page. */
function useSignOut(): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { mutate } = useMutation({
    mutationFn: () => call('DELETE', '/session'),
    onSuccess: async () => {
      client.clear()
      await navigate({ to: '/sign-in' })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  return () => mutate()
}
