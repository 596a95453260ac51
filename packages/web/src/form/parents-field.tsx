import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rowQuery, rowsQuery } from '../api/overview.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Complaint } from '../ui/field.tsx'
import { useField, useForm } from './form-context.ts'

/** The checks that a check depends on, found by their names. */
export function ParentsField() {
  const { value: chosen = [], set, complaint } = useField<string[] | undefined>('parentCheckIds')
  const own = useForm().definition['id']
  const [typed, setTyped] = useState('')
  const search = { sort: 'name', ...(typed !== '' && { search: typed }) } as const
  const found = (useQuery(rowsQuery(search, {}, 0)).data ?? []).filter(({ checkId }) => checkId !== own)
  const known = useQueries({ queries: chosen.map(rowQuery) }).flatMap(({ data }) => data ?? [])
  const names = new Map([...known, ...found].map((row) => [row.checkId, row.name]))
  return (
    <fieldset>
      <legend className="font-medium">Depends on</legend>
      <p className="text-sm text-ink-soft">
        While one of these checks fails, nobody is notified that this one does. It goes on running. If it still fails
        when they do not any more, its channels are notified then.
      </p>
      <Combobox
        label="Checks it depends on"
        placeholder="Add a check"
        items={found.map(({ checkId }) => checkId)}
        chosen={chosen}
        onChange={set}
        labelOf={(id) => names.get(id) ?? id}
        onTyped={setTyped}
        className="mt-1"
      />
      {complaint !== undefined && <Complaint text={complaint} />}
    </fieldset>
  )
}
