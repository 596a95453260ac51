import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile } from '@vedette/wire'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import { PasswordField } from './password-field.tsx'

/** Sets or changes the own password. */
export function PasswordForm({ profile }: { profile: Profile }) {
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
        <PasswordField label="Current password" kind="current-password" value={currentPassword} onChange={setCurrent} />
      )}
      <PasswordField
        label={profile.hasPassword ? 'New password' : 'Set a password'}
        help="At least 10 characters. Your other sessions end."
        kind="new-password"
        value={password}
        onChange={setPassword}
      />
      {save.isError && <Fault text={save.error.message} />}
      <div>
        <Button type="submit" isBusy={save.isPending}>
          Save password
        </Button>
      </div>
    </form>
  )
}
