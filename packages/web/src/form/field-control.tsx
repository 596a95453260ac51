import { valueAt, type FormField, type FormSection } from '@vedette/checks'
import { AssertionList } from './assertion-list.tsx'
import { BasicAuth } from './basic-auth.tsx'
import { useField, useForm } from './form-context.ts'
import { KeyValues } from './key-values.tsx'
import { listedTexts } from './listed-texts.ts'
import { OwnVariables } from './own-variables.tsx'
import { SnippetField } from './snippet-field.tsx'
import { TemplateField } from './template-field.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Tick } from '../ui/checkbox.tsx'
import { areaLook, inputLook, Field } from '../ui/field.tsx'
import { Panel } from '../ui/panel.tsx'
import { Select } from '../ui/select.tsx'

/** Renders one field as its check type describes it. */
export function FieldControl({ field }: { field: FormField }) {
  const { definition, touch } = useForm()
  const { visibleWhen } = field
  if (visibleWhen && !visibleWhen.oneOf.includes(valueAt(definition, visibleWhen.path))) return null
  const Control = controls[field.kind]
  return (
    <div className={spans[field.kind]} onBlur={() => touch?.(field.path)}>
      <Control field={field} />
    </div>
  )
}

/** A titled part of a form, as a check type describes it. */
export function SectionPanel({ section: { title, note, fields } }: { section: FormSection }) {
  return (
    <Panel title={title}>
      {note !== undefined && <p className="mb-3 text-sm text-ink-soft">{note}</p>}
      <SectionFields fields={fields} />
    </Panel>
  )
}

/** The fields of a section: those above the tabs, then each tab with how much is filled in. */
export function SectionFields({ fields }: { fields: readonly FormField[] }) {
  const { definition } = useForm()
  const names = [...new Set(fields.flatMap(({ tab }) => tab ?? []))]
  const tabs = names.map((name) => {
    const own = fields.filter(({ tab }) => tab === name)
    return { id: name, label: name, count: filledRows(own, definition), content: <Grid fields={own} /> }
  })
  return (
    <div className="flex flex-col gap-3">
      <Grid fields={fields.filter(({ tab }) => tab === undefined)} />
      {tabs.length > 0 && <Tabs label="Parts" tabs={tabs} />}
    </div>
  )
}

function Grid({ fields }: { fields: readonly FormField[] }) {
  return (
    <div className={fieldGrid}>
      {fields.map((field) => (
        <FieldControl key={field.path} field={field} />
      ))}
    </div>
  )
}

/** How many rows the lists of a tab have; code counts as one. */
const filledRows = (fields: readonly FormField[], definition: Record<string, unknown>): number =>
  fields.reduce((sum, { path, kind }) => {
    const value = valueAt(definition, path)
    if (kind === 'code') return sum + (typeof value === 'string' && value.trim() !== '' ? 1 : 0)
    return sum + (Array.isArray(value) ? value.length : 0)
  }, 0)

/** Forms have four columns, so that short fields stand beside each other. */
const fieldGrid = 'grid gap-4 md:grid-cols-4'

const spans: Record<FormField['kind'], string> = {
  text: 'md:col-span-3',
  texts: 'md:col-span-3',
  number: '',
  select: '',
  boolean: 'md:col-span-2',
  textarea: 'md:col-span-4',
  code: 'md:col-span-4',
  template: 'md:col-span-4',
  keyValues: 'md:col-span-4',
  variables: 'md:col-span-4',
  assertions: 'md:col-span-4',
  basicAuth: 'md:col-span-4',
  snippet: 'md:col-span-2',
}

type FieldProps = { field: FormField }

const controls: Record<FormField['kind'], (props: FieldProps) => React.ReactNode> = {
  text: TextField,
  texts: TextsField,
  number: NumberField,
  select: SelectField,
  boolean: BooleanField,
  textarea: ({ field }) => <TextArea field={field} rows={5} />,
  // In a tab it stands beside other things that are asked for, and is seldom filled in.
  code: ({ field }) => <TextArea field={field} rows={field.tab === undefined ? 16 : 8} />,
  template: TemplateField,
  keyValues: ({ field }) => <KeyValues path={field.path} label={field.label} item={field.item} />,
  variables: ({ field }) => <OwnVariables path={field.path} label={field.label} />,
  assertions: ({ field }) => <AssertionList path={field.path} />,
  basicAuth: ({ field }) => <BasicAuth path={field.path} label={field.label} />,
  snippet: SnippetField,
}

function TextField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          className={inputLook}
          value={value ?? ''}
          placeholder={field.placeholder}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  )
}

function TextsField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string[] | null>(field.path)
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <input
          {...control}
          className={inputLook}
          defaultValue={(value ?? []).join(', ')}
          placeholder={field.placeholder}
          onChange={(event) => set(listedTexts(event.target.value))}
        />
      )}
    </Field>
  )
}

function NumberField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<number | null>(field.path)
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
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
    </Field>
  )
}

/** Text that is no number is sent unchanged; the server's error says what it should be. */
const numberOr = (text: string) => (Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text))

function SelectField({ field }: FieldProps) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <Select
          {...control}
          value={value ?? ''}
          onChange={(event) => set(event.target.value === '' ? null : event.target.value)}
        >
          {field.options?.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function BooleanField({ field }: FieldProps) {
  const { value, set } = useField<boolean>(field.path)
  return <Tick label={field.label} help={field.help} checked={value} onChange={set} />
}

function TextArea({ field, rows }: FieldProps & { rows: number }) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          spellCheck={field.kind !== 'code'}
          className={areaLook}
          placeholder={field.placeholder}
          value={value ?? ''}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  )
}
