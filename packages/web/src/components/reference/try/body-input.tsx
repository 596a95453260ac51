import { Field, inputLook } from '../../../ui/field.tsx'
import { ToggleChip } from '../../../ui/chip.tsx'
import { startingBody } from './body-text.ts'
import { variantsOf, type Schema, type Schemas } from '../document/json-schema.ts'

interface Props {
  schema: Schema
  schemas: Schemas
  text: string
  fault: string | undefined
  onChange: (text: string) => void
}

/** Lines of an input that shows most bodies whole. */
const leastLines = 4
const mostLines = 18

/** The body of a call as JSON. Where it may have several shapes, each has an example to begin with. */
export function BodyInput({ schema, schemas, text, fault, onChange }: Props) {
  const shapes = variantsOf(schema, schemas).map((each) => ({ ...each, text: startingBody(each.schema, schemas) }))
  const lines = Math.min(mostLines, Math.max(leastLines, text.split('\n').length))
  return (
    <>
      {shapes.length > 1 && (
        <div role="group" aria-label="Example of the body" className="flex flex-wrap items-center gap-2">
          <span className="text-sm text-ink-soft">Example:</span>
          {shapes.map((shape) => (
            <ToggleChip key={shape.label} isOn={text === shape.text} onClick={() => onChange(shape.text)}>
              {shape.label}
            </ToggleChip>
          ))}
        </div>
      )}
      <Field label="Body" faulty={fault !== undefined} complaint={fault}>
        {(control) => (
          <textarea
            {...control}
            rows={lines}
            spellCheck={false}
            className={`${inputLook} h-auto! py-2 font-mono text-sm`}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </>
  )
}
