import { useMutation, useQueryClient } from '@tanstack/react-query'
import { inviteRoles, type CreatedAccountInvite, type InviteRole } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { roleWords } from './role-words.ts'

/** Invites somebody, and shows the link once. */
export function InviteForm() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<InviteRole>('READ_WRITE')
  const client = useQueryClient()
  const invite = useMutation({
    mutationFn: () => call<CreatedAccountInvite>('POST', '/v1/accounts/me/members', { email, role }),
    onSuccess: () => {
      setEmail('')
      return client.invalidateQueries({ queryKey: ['members'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate()
  }
  return (
    <Panel title="Invite somebody">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="E-mail">
          {(control) => (
            <input
              {...control}
              type="email"
              required
              autoComplete="off"
              className={inputLook}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Role" help={`${roleWords[role].name}: ${roleWords[role].may}.`}>
          {(control) => (
            <Select {...control} value={role} onChange={(event) => setRole(event.target.value as InviteRole)}>
              {inviteRoles.map((each) => (
                <option key={each} value={each}>
                  {roleWords[each].name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div>
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            Invite
          </Button>
        </div>
        <div role="status">
          {invite.isError && <Fault text={invite.error.message} />}
          {invite.data && <Made invite={invite.data} />}
        </div>
      </form>
    </Panel>
  )
}

const mailed: Record<CreatedAccountInvite['mail'], string> = {
  sent: 'The invitation was mailed. This is its link too',
  failed: 'The mail server did not take the invitation. Pass the link on yourself',
  'not set up': 'No mail server is set up. Pass the link on yourself',
}

function Made({ invite: { email, mail, link } }: { invite: CreatedAccountInvite }) {
  return (
    <div className="rounded-md bg-accent-wash p-3">
      <p className="mb-1 break-words">
        {mailed[mail]}: it is for {email}, works once and for seven days, and is not shown again.
      </p>
      <CopyText label="Copy the link" text={link} />
    </div>
  )
}
