import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile, RecoveryCodes, TotpDraft } from '@vedette/wire'
import { useState, type FormEvent, type ReactNode } from 'react'
import { renderSVG } from 'uqr'
import { call } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { CodeField, PasswordField } from './password-field.tsx'

/** A code besides the password: setting it up, new recovery codes, taking it away. */
export function SecondFactorPanel({ profile }: { profile: Profile }) {
  const [codes, setCodes] = useState<readonly string[]>()
  const badge = profile.hasTotp ? <Badge tone="pass">on</Badge> : <Badge tone="quiet">off</Badge>
  return (
    <Panel title="Second factor" aside={badge}>
      <p className="mb-3 text-ink-soft">
        A code from an app on your phone, asked for after the password. Whoever learns your password cannot sign in
        without it.
      </p>
      {codes && <Codes codes={codes} onDone={() => setCodes(undefined)} />}
      {!codes &&
        (profile.hasTotp ? <Present profile={profile} show={setCodes} /> : <SetUp profile={profile} show={setCodes} />)}
    </Panel>
  )
}

interface Props {
  profile: Profile
  show: (codes: readonly string[]) => void
}

function SetUp({ profile, show }: Props) {
  const client = useQueryClient()
  const [currentPassword, setCurrent] = useState('')
  const [code, setCode] = useState('')
  const start = useMutation({
    mutationFn: () => call<TotpDraft>('POST', '/session/totp', profile.hasPassword ? { currentPassword } : {}),
    onSuccess: () => setCurrent(''),
  })
  const confirm = useMutation({
    mutationFn: () => call<RecoveryCodes>('PUT', '/session/totp', { code }),
    onSuccess: ({ recoveryCodes }) => {
      show(recoveryCodes)
      return client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  if (start.data === undefined)
    return (
      <Task action="Set up" isBusy={start.isPending} error={start.error} onSubmit={() => start.mutate()}>
        {profile.hasPassword && (
          <PasswordField label="Your password" kind="current-password" value={currentPassword} onChange={setCurrent} />
        )}
      </Task>
    )
  return (
    <Task action="Turn on" isBusy={confirm.isPending} error={confirm.error} onSubmit={() => confirm.mutate()}>
      <p>Scan this with the authenticator on your phone, then type the code that it shows.</p>
      <QrCode text={start.data.uri} />
      <div>
        <p className="mb-1 text-sm text-ink-soft">Or type this secret:</p>
        <CopyText label="Copy the secret" text={start.data.secret} />
      </div>
      <CodeField value={code} onChange={setCode} />
    </Task>
  )
}

function Present({ profile, show }: Props) {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [currentPassword, setCurrent] = useState('')
  const renew = useMutation({
    mutationFn: () => call<RecoveryCodes>('POST', '/session/totp/recovery-codes', { code }),
    onSuccess: ({ recoveryCodes }) => show(recoveryCodes),
  })
  const remove = useMutation({
    mutationFn: () => call('POST', '/session/totp/remove', { code, ...(profile.hasPassword && { currentPassword }) }),
    onSuccess: () => {
      toast('The second factor is off.')
      return client.invalidateQueries({ queryKey: ['session'] })
    },
  })
  return (
    <Task
      action="Make new recovery codes"
      isBusy={renew.isPending}
      error={renew.error ?? remove.error}
      onSubmit={() => renew.mutate()}
      more={
        <Button look="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Turn off
        </Button>
      }
    >
      <CodeField value={code} onChange={setCode} help="New codes replace the ones you have." />
      {profile.hasPassword && (
        <PasswordField
          label="Your password"
          help="Needed to turn it off."
          kind="current-password"
          value={currentPassword}
          onChange={setCurrent}
        />
      )}
    </Task>
  )
}

interface TaskProps {
  action: string
  isBusy: boolean
  error: Error | null
  onSubmit: () => void
  more?: ReactNode
  children: ReactNode
}

function Task({ action, isBusy, error, onSubmit, more, children }: TaskProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form noValidate onSubmit={submit} className="flex max-w-sm flex-col gap-3">
      {children}
      {error && <Fault text={error.message} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isBusy}>
          {action}
        </Button>
        {more}
      </div>
    </form>
  )
}

/** Black on white in both themes: cameras expect that. */
function QrCode({ text }: { text: string }) {
  const source = `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`
  return <img src={source} alt="QR code for your authenticator" className="size-48 rounded-md bg-white" />
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div role="status" className="flex max-w-sm flex-col gap-3 rounded-md bg-accent-wash p-3">
      <p>
        Keep these recovery codes somewhere safe: each signs you in once when the phone is lost. They are not shown
        again.
      </p>
      <CopyText label="Copy the codes" text={codes.join('\n')} />
      <div>
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  )
}
