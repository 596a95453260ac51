import { Link2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toast } from '../../ui/toast.ts'
import type { Schemas } from './document/json-schema.ts'
import { MethodMark } from './method-mark.tsx'
import { jsonOf } from './document/openapi-document.ts'
import { BreakablePath } from './operation-link.tsx'
import type { Operation } from './document/operations.ts'
import { Prose } from './prose.tsx'
import { Fold, MemberRow, SchemaTree } from './schema-tree.tsx'
import { typeText } from './document/schema-text.ts'
import { TryIt } from './try/try-it.tsx'

interface Props {
  operation: Operation
  schemas: Schemas
}

/** Everything about one call: what it takes, what it answers, and a form to make it. */
export function OperationView({ operation, schemas }: Props) {
  const { parameters, body, description } = operation
  return (
    <>
      <Head operation={operation} />
      {description !== undefined && (
        <p className="mt-2 max-w-3xl">
          <Prose text={description} />
        </p>
      )}
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-2 xl:grid-rows-[auto_1fr]">
        {(parameters.length > 0 || body) && <Request operation={operation} schemas={schemas} />}
        <div
          id={tryId}
          tabIndex={-1}
          className="min-w-0 outline-none xl:sticky xl:top-4 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto"
        >
          <TryIt operation={operation} schemas={schemas} />
        </div>
        <div className="min-w-0 xl:col-start-1">
          <Answers operation={operation} schemas={schemas} />
        </div>
      </div>
    </>
  )
}

function Request({ operation: { parameters, body }, schemas }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-4 xl:col-start-1">
      {parameters.length > 0 && (
        <Panel title="Parameters">
          <ul>
            {parameters.map(({ name, in: place, required, schema, description }) => (
              <MemberRow
                key={name}
                name={name}
                schema={schema}
                schemas={schemas}
                presence={required === true ? 'required' : undefined}
                place={`in the ${place}`}
                description={description}
              />
            ))}
          </ul>
        </Panel>
      )}
      {body && (
        <Panel title="Body">
          <p className="mb-1 text-sm text-ink-soft">JSON: {typeText(body, schemas)}</p>
          <SchemaTree schema={body} schemas={schemas} isRequest />
        </Panel>
      )}
    </div>
  )
}

const tryId = 'try-it'

/** To the form, which stands below long descriptions where the screen is narrow. */
function showForm() {
  const form = document.getElementById(tryId)
  form?.scrollIntoView()
  form?.focus({ preventScroll: true })
}

function Head({ operation }: { operation: Operation }) {
  const { id, method, path, summary, isPublic } = operation
  const copyLink = async () => {
    await navigator.clipboard.writeText(`${location.origin}/docs#${id}`)
    toast('Copied the link to this operation.')
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">
          <Prose text={summary} />
        </h1>
        <IconButton
          label="Copy link"
          icon={<Link2 aria-hidden="true" className="size-4" />}
          onClick={() => void copyLink()}
        />
      </div>
      <p className="mt-1 flex items-start gap-2.5">
        <MethodMark method={method} />
        <code className="min-w-0 font-mono break-words">
          <BreakablePath path={path} />
        </code>
        {isPublic && <span className="text-sm text-ink-soft">open to all</span>}
      </p>
      <Button className="mt-2 xl:hidden" onClick={showForm}>
        Go to the form
      </Button>
    </>
  )
}

function Answers({ operation, schemas }: Props) {
  return (
    <Panel title="Answers">
      {operation.answers.map((answer) => {
        const schema = jsonOf(answer)
        const isSuccess = answer.status.startsWith('2')
        return (
          <Fold
            key={answer.status}
            isOpen={isSuccess}
            title={
              <>
                <span className="font-mono font-semibold">{answer.status}</span>{' '}
                <Prose text={answer.description ?? ''} />
              </>
            }
          >
            {schema === undefined ? (
              <p className="text-ink-soft">No body.</p>
            ) : (
              <>
                <p className="text-sm text-ink-soft">{typeText(schema, schemas)}</p>
                <SchemaTree schema={schema} schemas={schemas} level={isSuccess ? 0 : 1} />
              </>
            )}
          </Fold>
        )
      })}
    </Panel>
  )
}
