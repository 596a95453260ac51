import { Button } from '../components/basics/button.tsx'
import { useField } from './form-context.ts'
import { inputLook } from './labelled.tsx'

export interface Pair {
  key: string
  value: string
  locked: boolean
}

/** Names and values, one row each. */
export function KeyValues({ path, label }: { path: string; label: string }) {
  const { value, set, faulty, complaint } = useField<Pair[] | null>(path)
  return (
    <>
      <PairRows label={label} pairs={value ?? []} onChange={set} faulty={faulty} />
      {complaint !== undefined && <p className="mt-1 text-sm font-semibold break-words text-fail">{complaint}</p>}
    </>
  )
}

interface RowsProps {
  label: string
  pairs: Pair[]
  onChange: (pairs: Pair[]) => void
  faulty: boolean
}

function PairRows({ label, pairs, onChange, faulty }: RowsProps) {
  const change = (index: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{label}</legend>
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
          <Button
            aria-label={`Remove ${label} row ${index + 1}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...pairs, { key: '', value: '', locked: false }])}>
          Add {label.toLowerCase()} row
        </Button>
      </div>
    </fieldset>
  )
}
