import { Field, inputLook } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { settled, typesOf, type Schemas } from '../document/json-schema.ts'
import type { Parameter } from '../document/openapi-document.ts'
import { choicesOf, typeText } from '../document/schema-text.ts'

interface Props {
  parameter: Parameter
  schemas: Schemas
  value: string
  isMissing: boolean
  onChange: (value: string) => void
}

/** Where a parameter of a call is filled in. Empty, it is not sent. */
export function ParameterInput({ parameter, schemas, value, isMissing, onChange }: Props) {
  const { name, required = false, schema } = parameter
  const target = settled(schema, schemas)
  const isList = typesOf(target).includes('array')
  const choices = typesOf(target).includes('boolean') ? [true, false] : isList ? [] : choicesOf(schema, schemas)
  return (
    <Field
      label={required ? `${name} (required)` : name}
      help={isList ? 'Several with commas between them.' : undefined}
      faulty={isMissing}
      complaint={isMissing ? `Fill in ${name}: it is part of the address.` : undefined}
    >
      {(control) =>
        choices.length > 0 ? (
          <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
            <option value="">{notSent(target.default)}</option>
            {choices.map((choice) => (
              <option key={String(choice)}>{String(choice)}</option>
            ))}
          </Select>
        ) : (
          <input
            {...control}
            className={inputLook}
            autoComplete="off"
            placeholder={target.default === undefined ? typeText(schema, schemas) : notSent(target.default)}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

const notSent = (value: unknown) => (value === undefined ? 'not sent' : `not sent (default ${JSON.stringify(value)})`)
