import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Profile } from '@vedette/wire'
import { call } from '../api/client.ts'
import { chooseLetterKeys, useLetterKeys } from '../app/reader-choices.ts'
import { useSession } from '../app/session.ts'
import { chooseTheme, useTheme, type Theme } from '../app/theme.ts'
import { CoverageGapsPanel } from '../components/system/coverage-gaps.tsx'
import { HealthPanel } from '../components/system/health-panel.tsx'
import { AgentsPanel, KeysPanel } from '../components/system/key-panels.tsx'
import { Button } from '../components/basics/button.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { inputLook, Labelled, Tick } from '../form/labelled.tsx'

export function SettingsPage() {
  const session = useSession()
  if (!session.data) return null
  return (
    <>
      <PageTitle text="Settings" />
      <h1 className="mb-4 text-2xl font-bold">Settings</h1>
      <div className="flex flex-col gap-4">
        <YouPanel profile={session.data} />
        <HealthPanel />
        <AgentsPanel />
        <CoverageGapsPanel />
        {session.data.role === 'admin' && <KeysPanel />}
      </div>
    </>
  )
}

function YouPanel({ profile }: { profile: Profile }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => call('DELETE', '/session'),
    onSuccess: async () => {
      client.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  return (
    <Panel title="You" aside={<Button onClick={() => signOut.mutate()}>Sign out</Button>}>
      <p className="mb-4">
        {profile.email}, {profile.role} of {profile.accountName}{' '}
        <code className="font-mono text-sm break-all">({profile.accountId})</code>
      </p>
      <div className="grid gap-6 md:grid-cols-2">
        <PasswordForm profile={profile} />
        <div className="flex flex-col gap-4">
          <ThemeChoice />
          <KeysChoice />
        </div>
      </div>
    </Panel>
  )
}

function ThemeChoice() {
  const theme = useTheme()
  return (
    <Labelled label="Appearance">
      {(control) => (
        <select
          {...control}
          className={inputLook}
          value={theme}
          onChange={(event) => chooseTheme(event.target.value as Theme)}
        >
          <option value="system">As the device</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      )}
    </Labelled>
  )
}

/** Shortcuts of one letter disturb people who use voice control. */
function KeysChoice() {
  return (
    <Tick
      label="Keys of one letter"
      help="/ searches, c creates, j and k move, ? shows them all."
      checked={useLetterKeys() === 'on'}
      onChange={(on) => chooseLetterKeys(on ? 'on' : 'off')}
    />
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
      await client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {profile.hasPassword && (
        <Labelled label="Current password">
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
        </Labelled>
      )}
      <Labelled
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
      </Labelled>
      <p role="status">
        {save.isError ? (
          <span className="text-fail">{save.error.message}</span>
        ) : (
          save.isSuccess && 'The password is set.'
        )}
      </p>
      <div>
        <Button type="submit" disabled={save.isPending}>
          Save password
        </Button>
      </div>
    </form>
  )
}
