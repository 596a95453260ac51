import { useQuery } from '@tanstack/react-query'
import type { WaysToSignIn } from '@vedette/wire'
import { call } from '../api/client.ts'
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
import { PasswordForm } from '../components/settings/password-form.tsx'
import { SecondFactorPanel } from '../components/settings/second-factor-panel.tsx'
import { SettingsHead } from '../components/settings/settings-head.tsx'
import { buttonLook } from '../ui/button.tsx'
import { Tick } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'

export function SettingsPage() {
  const { data: profile } = useSession()
  if (!profile) return null
  return (
    <>
      <SettingsHead page="You" />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title="You">
          <p className="mb-4">
            {profile.email}, {profile.isOwner ? 'owner' : profile.role} of {profile.accountName}{' '}
            <code className="font-mono text-sm break-all text-ink-soft">({profile.accountId})</code>
          </p>
          <PasswordForm profile={profile} />
          <ConnectProvider />
        </Panel>
        <div className="flex flex-col gap-4">
          <AppearancePanel />
          <SecondFactorPanel profile={profile} />
        </div>
      </div>
    </>
  )
}

/** From then on the identity provider signs this person in too. */
function ConnectProvider() {
  const ways = useQuery({ queryKey: ['ways'], queryFn: () => call<WaysToSignIn>('GET', '/session/ways') })
  if (ways.data?.oidc !== true) return null
  return (
    <p className="mt-4">
      <a href="/session/oidc?connect=1" className={buttonLook()}>
        Connect single sign-on
      </a>
    </p>
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
