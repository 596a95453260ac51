import { Plus, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Tick } from '../../ui/checkbox.tsx'
import { Complaint, inputLook } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useField } from '../form-context.ts'

interface Variable {
  key: string
  value: string
  locked: boolean
  secret: boolean
}

/** Variables, one row each. A secret that is stored shows its mask, which keeps it. */
export function VariableRows({ path }: { path: string }) {
  const { value, set, faulty, complaint } = useField<Variable[] | null>(path)
  const rows = value ?? []
  const change = (index: number, part: Partial<Variable>) =>
    set(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Variables</legend>
      {rows.map((row, index) => (
        // Rows have no identity but their position; an empty new row must keep its focus.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
          <input
            aria-label={`Variable: name ${index + 1}`}
            aria-invalid={faulty}
            className={`${inputLook} font-mono`}
            placeholder="NAME"
            value={row.key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <input
            aria-label={`Variable: value ${index + 1}`}
            aria-invalid={faulty}
            type={row.secret || row.locked ? 'password' : 'text'}
            autoComplete="off"
            className={inputLook}
            placeholder="Value"
            value={row.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <Tick label="Secret" checked={row.secret} onChange={(secret) => change(index, { secret })} />
          <IconButton
            label={`Remove variable ${index + 1}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => set(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {complaint !== undefined && <Complaint text={complaint} />}
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
