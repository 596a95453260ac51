import type { ComponentProps } from 'react'
import { Select } from '../ui/select.tsx'

interface Props extends Omit<ComponentProps<typeof Select>, 'value' | 'onChange'> {
  value: number | null
  set: (value: number | null) => void
  choices: readonly { id: number; name: string }[]
}

/** A choice of one thing by its name, or of none. What is chosen and no longer there shows its number. */
export function IdSelect({ value, set, choices, ...control }: Props) {
  const isThere = value === null || choices.some(({ id }) => id === value)
  return (
    <Select
      {...control}
      value={value ?? ''}
      onChange={(event) => set(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">None</option>
      {!isThere && <option value={value}>{value}</option>}
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
