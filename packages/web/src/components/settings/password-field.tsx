import { Field, inputLook } from '../../ui/field.tsx'

interface Props {
  label: string
  help?: string
  /** Which password a password manager fills in or keeps. */
  kind: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
}

export function PasswordField({ label, help, kind, value, onChange }: Props) {
  return (
    <Field label={label} help={help}>
      {(control) => (
        <input
          {...control}
          type="password"
          required
          autoComplete={kind}
          className={inputLook}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Where a code of the authenticator, or a recovery code, is typed. */
export function CodeField({ help, value, onChange }: Pick<Props, 'help' | 'value' | 'onChange'>) {
  return (
    <Field label="Code" help={help}>
      {(control) => (
        <input
          {...control}
          required
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className={`${inputLook} font-mono`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
