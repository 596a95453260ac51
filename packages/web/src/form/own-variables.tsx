import { Plus, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useField } from './form-context.ts'
import { Tick } from '../ui/checkbox.tsx'
import { inputLook } from '../ui/field.tsx'

interface Variable {
  key: string
  value: string
  locked: boolean
  secret: boolean
}

/** Variables of one check, one row each. */
export function OwnVariables({ path, label }: { path: string; label: string }) {
  const { value, set, faulty, complaint } = useField<Variable[] | null>(path)
  const rows = value ?? []
  const change = (index: number, part: Partial<Variable>) =>
    set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {rows.length === 0 && (
        <p className="text-ink-soft">None of its own. The variables of the account are there in any case.</p>
      )}
      {rows.map((row, index) => (
        // Rows have no identity but their position; an empty new row must keep its focus.
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          className="flex flex-wrap items-center gap-2 sm:flex-nowrap max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-3"
        >
          <input
            aria-label={`Variable ${index + 1}: name`}
            aria-invalid={faulty}
            className={`${inputLook} font-mono text-sm`}
            placeholder="SHOP_TOKEN"
            value={row.key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <input
            aria-label={`Variable ${index + 1}: value`}
            aria-invalid={faulty}
            type={row.secret ? 'password' : 'text'}
            autoComplete="new-password"
            className={inputLook}
            placeholder="Value"
            value={row.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <span className="shrink-0">
            <Tick label="Secret" checked={row.secret} onChange={(secret) => change(index, { secret })} />
          </span>
          <IconButton
            label={`Remove variable ${index + 1}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {rows.some(({ secret }) => secret) && (
        <p className="text-sm text-ink-soft">Secrets are stored encrypted. ****** keeps the stored one.</p>
      )}
      {complaint !== undefined && <p className="text-sm font-semibold break-words text-fail">{complaint}</p>}
      <div>
        <Button
          look="quiet"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => set([...rows, { key: '', value: '', locked: false, secret: false }])}
        >
          Add variable
        </Button>
      </div>
    </fieldset>
  )
}
