import { useState, type ReactNode } from 'react'
import { settled, variantsOf, type Schema, type Schemas } from './document/json-schema.ts'
import { Prose } from './prose.tsx'
import { choicesOf, rulesOf, typeText } from './document/schema-text.ts'

/** Levels that are open at first. */
const openLevels = 2
/** So many values to choose from are read at a glance. */
const shownChoices = 12
/** Lists of lists are followed so far. */
const deepestList = 4

interface Props {
  schema: Schema
  schemas: Schemas
  /** Members that only answers carry are left out. */
  isRequest?: boolean
  level?: number
}

/** The members of a value, level by level. What is folded is drawn only when it is opened: a shape may hold itself. */
export function SchemaTree({ schema, schemas, isRequest = false, level = 0 }: Props) {
  const shape = shapeWithMembers(schema, schemas)
  if (shape === undefined) return null
  const variants = variantsOf(shape, schemas)
  if (variants.length > 0)
    return variants.map(({ label, schema: variant }, at) => (
      <Fold key={label} title={label} isOpen={level < openLevels && at === 0}>
        <SchemaTree schema={variant} schemas={schemas} isRequest={isRequest} level={level + 1} />
      </Fold>
    ))
  const { properties = {}, required = [] } = settled(shape, schemas)
  const shown = Object.entries(properties).filter(([, member]) => !(isRequest && member.readOnly === true))
  return (
    <ul className={level === 0 ? '' : 'border-l-2 border-line pl-3'}>
      {shown.map(([name, member]) => (
        <MemberRow
          key={name}
          name={name}
          schema={member}
          schemas={schemas}
          presence={presenceOf(isRequest, required.includes(name))}
        >
          {shapeWithMembers(member, schemas) !== undefined && (
            <Fold title={`Fields of ${name}`} isOpen={level + 1 < openLevels}>
              <SchemaTree schema={member} schemas={schemas} isRequest={isRequest} level={level + 1} />
            </Fold>
          )}
        </MemberRow>
      ))}
    </ul>
  )
}

/** The shape with members that is in a value: the value itself, or what its list or map holds. */
function shapeWithMembers(schema: Schema, schemas: Schemas, depth = 0): Schema | undefined {
  const { properties, items, additionalProperties } = settled(schema, schemas)
  if (variantsOf(schema, schemas).length > 0 || Object.keys(properties ?? {}).length > 0) return schema
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return inner === undefined || depth > deepestList ? undefined : shapeWithMembers(inner, schemas, depth + 1)
}

type Presence = 'required' | 'may be missing' | undefined

/** What is special: a member that must be sent, or one that an answer may lack. */
const presenceOf = (isRequest: boolean, isRequired: boolean): Presence =>
  isRequest ? (isRequired ? 'required' : undefined) : isRequired ? undefined : 'may be missing'

interface MemberProps {
  name: string
  schema: Schema
  schemas: Schemas
  presence: Presence
  /** Stands after the name, such as where a parameter goes. */
  place?: string
  description?: string | undefined
  children?: ReactNode
}

/** A named value: its type, what it means, and what it must keep to. */
export function MemberRow({ name, schema, schemas, presence, place, description, children }: MemberProps) {
  const meaning = description ?? settled(schema, schemas).description
  const rules = rulesOf(schema, schemas)
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <p className="break-words">
        <code className="font-mono font-medium">{name}</code>{' '}
        <span className="text-sm text-ink-soft">
          {typeText(schema, schemas)}
          {place !== undefined && `, ${place}`}
        </span>{' '}
        {presence === 'required' && <span className="text-sm font-medium text-fail">required</span>}
        {presence === 'may be missing' && <span className="text-sm text-ink-soft">, may be missing</span>}
      </p>
      {meaning !== undefined && (
        <p className="break-words">
          <Prose text={meaning} />
        </p>
      )}
      {rules.length > 0 && <p className="text-sm break-words text-ink-soft">{rules.join(', ')}</p>}
      <Choices values={choicesOf(schema, schemas)} />
      {children}
    </li>
  )
}

function Choices({ values }: { values: readonly unknown[] }) {
  if (values.length === 0) return null
  const list = <span className="font-mono break-words">{values.map((value) => JSON.stringify(value)).join(', ')}</span>
  if (values.length > shownChoices) return <Fold title={`One of ${values.length} values`}>{list}</Fold>
  return (
    <p className="text-sm text-ink-soft">
      {values.length === 1 ? 'Only' : 'One of'} {list}
    </p>
  )
}

/** A part that opens and closes. */
export function Fold({ title, isOpen = false, children }: { title: ReactNode; isOpen?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(isOpen)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-6 w-fit py-0.5 text-sm text-accent max-md:min-h-11 max-md:py-3">{title}</summary>
      {open && <div className="mt-1 mb-2">{children}</div>}
    </details>
  )
}
