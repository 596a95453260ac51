import { Panel } from '../ui/panel.tsx'
import { useField, useForm } from './form-context.ts'
import { GroupField } from './group-field.tsx'
import { inputLook, Field } from '../ui/field.tsx'

/** Name, group, description and tags of a check. */
export function NameSection() {
  const { touch } = useForm()
  const name = useField<string>('name')
  const description = useField<string | null>('description')
  const tags = useField<string[]>('tags')
  return (
    <Panel title="What it is">
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Name" faulty={name.faulty} complaint={name.complaint}>
          {(control) => (
            <input
              {...control}
              required
              className={inputLook}
              value={name.value}
              onBlur={() => touch?.('name')}
              onChange={(event) => name.set(event.target.value)}
            />
          )}
        </Field>
        <Field label="Tags" help="Separated by commas." faulty={tags.faulty} complaint={tags.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
              onBlur={() => touch?.('tags')}
              defaultValue={tags.value.join(', ')}
              onChange={(event) =>
                tags.set(
                  event.target.value
                    .split(',')
                    .map((tag) => tag.trim())
                    .filter((tag) => tag !== ''),
                )
              }
            />
          )}
        </Field>
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
