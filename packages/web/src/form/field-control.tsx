import { valueAt, type FormField } from '@vedette/checks'
import { AssertionList } from './assertion-list.tsx'
import { BasicAuth } from './basic-auth.tsx'
import { useField, useForm } from './form-context.ts'
import { KeyValues } from './key-values.tsx'
import { inputLook, Labelled, Tick } from './labelled.tsx'

/** Renders one field as its check type describes it. */
export function FieldControl({ field }: { field: FormField }) {
  const { definition } = useForm()
  const { visibleWhen } = field
  if (visibleWhen && !visibleWhen.oneOf.includes(valueAt(definition, visibleWhen.path))) return null
  const Control = controls[field.kind]
  return (
    <div className={spans[field.kind]}>
      <Control field={field} />
    </div>
  )
}

/** Forms have four columns, so that short fields stand beside each other. */
export const fieldGrid = 'grid gap-4 md:grid-cols-4'

const spans: Record<FormField['kind'], string> = {
  text: 'md:col-span-3',
  number: '',
  select: '',
  boolean: 'md:col-span-2',
  textarea: 'md:col-span-4',
  keyValues: 'md:col-span-4',
  assertions: 'md:col-span-4',
  basicAuth: 'md:col-span-4',
}

type FieldProps = { field: FormField }

const controls: Record<FormField['kind'], (props: FieldProps) => React.ReactNode> = {
  text: TextField,
  number: NumberField,
  select: SelectField,
  boolean: BooleanField,
  textarea: TextArea,
  keyValues: ({ field }) => <KeyValues path={field.path} label={field.label} />,
  assertions: ({ field }) => <AssertionList path={field.path} />,
  basicAuth: ({ field }) => <BasicAuth path={field.path} label={field.label} />,
}

function TextField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  return (
    <Labelled label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          className={inputLook}
          value={value ?? ''}
          placeholder={field.placeholder}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Labelled>
  )
}

function NumberField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<number | null>(field.path)
  return (
    <Labelled label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          className={inputLook}
          value={value ?? ''}
          placeholder={field.placeholder}
          onChange={(event) => set(event.target.value.trim() === '' ? null : numberOr(event.target.value))}
        />
      )}
    </Labelled>
  )
}

/** Text that is no number is sent unchanged; the server's error says what it should be. */
const numberOr = (text: string) => (Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text))

function SelectField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string>(field.path)
  return (
    <Labelled label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <select {...control} className={inputLook} value={value} onChange={(event) => set(event.target.value)}>
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

function BooleanField({ field }: FieldProps) {
  const { value, set } = useField<boolean>(field.path)
  return <Tick label={field.label} help={field.help} checked={value} onChange={set} />
}

function TextArea({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  return (
    <Labelled label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <textarea
          {...control}
          rows={5}
          className={`${inputLook} font-mono text-sm`}
          value={value ?? ''}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Labelled>
  )
}
