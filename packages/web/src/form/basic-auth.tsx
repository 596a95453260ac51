import { useField } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { inputLook, Field } from '../ui/field.tsx'

interface Credentials {
  username: string
  password: string
}

export function BasicAuth({ path, label }: { path: string; label: string }) {
  const { value, set, faulty } = useField<Credentials | null>(path)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      <Tick
        label={label}
        checked={value !== null && value !== undefined}
        onChange={(on) => set(on ? { username: '', password: '' } : null)}
      />
      {value && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="User name" faulty={faulty}>
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                className={inputLook}
                value={value.username}
                onChange={(event) => set({ ...value, username: event.target.value })}
              />
            )}
          </Field>
          <Field label="Password" help="Stored encrypted. ****** keeps the stored one." faulty={faulty}>
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="new-password"
                className={inputLook}
                value={value.password}
                onChange={(event) => set({ ...value, password: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
    </fieldset>
  )
}
