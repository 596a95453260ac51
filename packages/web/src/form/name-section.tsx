import { Panel } from '../ui/panel.tsx'
import { useField, useForm } from './form-context.ts'
import { GroupField } from './group-field.tsx'
import { NameField, TagsField } from './shared-fields.tsx'
import { inputLook, Field } from '../ui/field.tsx'

/** Name, group, description and tags of a check. */
export function NameSection() {
  const { touch } = useForm()
  const description = useField<string | null>('description')
  return (
    <Panel title="What it is">
      <div className="grid gap-4 md:grid-cols-2">
        <NameField />
        <TagsField help="Separated by commas." />
        <GroupField />
        <Field label="Description" faulty={description.faulty} complaint={description.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
              onBlur={() => touch?.('description')}
              value={description.value ?? ''}
              onChange={(event) => description.set(event.target.value === '' ? null : event.target.value)}
            />
          )}
        </Field>
      </div>
    </Panel>
  )
}
