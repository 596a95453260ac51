import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../api/client.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import {
  chooseDensity,
  chooseLetterKeys,
  chooseZone,
  useDensity,
  useLetterKeys,
  useZone,
  type Density,
  type Zone,
} from '../app/reader-choices.ts'
import { useSession } from '../app/session.ts'
import { chooseTheme, useTheme, type Theme } from '../app/theme.ts'
import { KeysPanel } from '../components/settings/keys-panel.tsx'
import { Button } from '../ui/button.tsx'
import { Tick } from '../ui/checkbox.tsx'
import { Field, inputLook } from '../ui/field.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.ts'

export function SettingsPage() {
  const { data: profile } = useSession()
  if (!profile) return null
  return (
    <>
      <PagePlaceOf title="Settings" />
      <h1 className="mb-3 text-xl font-semibold tracking-tight">Settings</h1>
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title="You">
          <p className="mb-4">
            {profile.email}, {profile.role} of {profile.accountName}{' '}
            <code className="font-mono text-sm break-all text-ink-soft">({profile.accountId})</code>
          </p>
          <PasswordForm profile={profile} />
        </Panel>
        <div className="flex flex-col gap-4">
          <AppearancePanel />
          {profile.role === 'admin' && <KeysPanel />}
        </div>
      </div>
    </>
  )
}

/** How this browser shows the app. */
function AppearancePanel() {
  const [theme, zone, density] = [useTheme(), useZone(), useDensity()]
  return (
    <Panel title="This browser">
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Theme">
          {(control) => (
            <Select {...control} value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
              <option value="system">Like the device</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </Select>
          )}
        </Field>
        <Field label="Times">
          {(control) => (
            <Select {...control} value={zone} onChange={(event) => chooseZone(event.target.value as Zone)}>
              <option value="local">Zone of this device</option>
              <option value="utc">UTC</option>
            </Select>
          )}
        </Field>
        <Field label="Rows">
          {(control) => (
            <Select {...control} value={density} onChange={(event) => chooseDensity(event.target.value as Density)}>
              <option value="compact">Compact</option>
              <option value="comfortable">Comfortable</option>
            </Select>
          )}
        </Field>
      </div>
      {/* Shortcuts of one letter disturb people who use voice control. */}
      <Tick
        label="Keyboard shortcuts of one letter"
        help="/ searches, c creates, j and k move, x selects, ? shows them all."
        checked={useLetterKeys() === 'on'}
        onChange={(on) => chooseLetterKeys(on ? 'on' : 'off')}
      />
    </Panel>
  )
}

function PasswordForm({ profile }: { profile: Profile }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [currentPassword, setCurrent] = useState('')
  const save = useMutation({
    mutationFn: () => call('PUT', '/session/password', { password, ...(profile.hasPassword && { currentPassword }) }),
    onSuccess: async () => {
      setPassword('')
      setCurrent('')
      toast('The password is set.')
      await client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex max-w-sm flex-col gap-3">
      {profile.hasPassword && (
        <Field label="Current password">
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="current-password"
              className={inputLook}
              value={currentPassword}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label={profile.hasPassword ? 'New password' : 'Set a password'}
        help="At least 10 characters. Your other sessions end."
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            className={inputLook}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {save.isError && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" isBusy={save.isPending}>
          Save password
        </Button>
      </div>
    </form>
  )
}
