import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { ApiFailure, call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { CodeField } from '../settings/password-field.tsx'

/** Signs in with a password. Whoever shows it sees from the session that it worked. */
export function SignInForm({ email: known = '' }: { email?: string }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const client = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const signIn = useMutation({
    mutationFn: () => call('POST', '/session', { email, password, ...(needsCode && { code }) }),
    onSuccess: () => client.invalidateQueries(),
    onError: (error) => {
      if (error instanceof ApiFailure && error.keys.includes('code')) setNeedsCode(true)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="E-mail">
        {(control) => (
          <input
            {...control}
            type="email"
            required
            autoComplete="username"
            className={inputLook}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <input
            {...control}
            type="password"
            required
            autoFocus={known !== ''}
            autoComplete="current-password"
            className={inputLook}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {needsCode && <CodeField value={code} onChange={setCode} />}
      {signIn.isError && (
        <p role="alert" className="text-fail">
          {signIn.error.message}
        </p>
      )}
      <Button type="submit" look="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}
