import { Panel } from '../components/basics/panel.tsx'
import { useField } from './form-context.ts'
import { inputLook, Labelled } from './labelled.tsx'

/** Name, description and tags of a check. */
export function NameSection() {
  const name = useField<string>('name')
  const description = useField<string | null>('description')
  const tags = useField<string[]>('tags')
  return (
    <Panel title="What it is">
      <div className="grid gap-4 md:grid-cols-2">
        <Labelled label="Name" faulty={name.faulty} complaint={name.complaint}>
          {(control) => (
            <input
              {...control}
              required
              className={inputLook}
              value={name.value}
              onChange={(event) => name.set(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label="Tags" help="Separated by commas." faulty={tags.faulty} complaint={tags.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
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
        </Labelled>
        <Labelled label="Description" faulty={description.faulty} complaint={description.complaint}>
          {(control) => (
            <input
              {...control}
              className={inputLook}
              value={description.value ?? ''}
              onChange={(event) => description.set(event.target.value === '' ? null : event.target.value)}
            />
          )}
        </Labelled>
      </div>
    </Panel>
  )
}
