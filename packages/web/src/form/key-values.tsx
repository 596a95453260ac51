import { Plus, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useField } from './form-context.ts'
import { inputLook } from '../ui/field.tsx'

export interface Pair {
  key: string
  value: string
  locked: boolean
}

/** Names and values, one row each. */
export function KeyValues({ path, label, item = 'row' }: { path: string; label: string; item?: string | undefined }) {
  const { value, set, faulty, complaint } = useField<Pair[] | null>(path)
  return (
    <>
      <PairRows label={label} item={item} pairs={value ?? []} onChange={set} faulty={faulty} />
      {complaint !== undefined && <p className="mt-1 text-sm font-semibold break-words text-fail">{complaint}</p>}
    </>
  )
}

interface RowsProps {
  label: string
  item: string
  pairs: Pair[]
  onChange: (pairs: Pair[]) => void
  faulty: boolean
}

function PairRows({ label, item, pairs, onChange, faulty }: RowsProps) {
  const change = (index: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {pairs.map((pair, index) => (
        // Rows have no identity but their position; an empty new row must keep its focus.
        // oxlint-disable-next-line react/no-array-index-key
        <div
          key={index}
          className="flex flex-wrap gap-2 sm:flex-nowrap max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-3"
        >
          <input
            aria-label={`${label}: name ${index + 1}`}
            aria-invalid={faulty}
            className={inputLook}
            placeholder="Name"
            value={pair.key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <input
            aria-label={`${label}: value ${index + 1}`}
            aria-invalid={faulty}
            className={inputLook}
            placeholder="Value, {{VARIABLE}} inserts one"
            value={pair.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <IconButton
            label={`Remove ${item} ${index + 1}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button
          look="quiet"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onChange([...pairs, { key: '', value: '', locked: false }])}
        >
          Add {item}
        </Button>
      </div>
    </fieldset>
  )
}
