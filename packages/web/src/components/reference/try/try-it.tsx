import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../../app/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Fault, Panel } from '../../../ui/panel.tsx'
import { BodyInput } from './body-input.tsx'
import { CodeBlock } from '../code-block.tsx'
import { jsonFault, startingBody } from './body-text.ts'
import type { Schemas } from '../document/json-schema.ts'
import type { Operation } from '../document/operations.ts'
import { ParameterInput } from './parameter-input.tsx'
import { addressOf, commandOf, missing, type Filled } from './request-of.ts'
import { SignInLink } from '../sign-in-link.tsx'
import { TriedAnswer } from './tried-answer.tsx'
import { tryCall } from './tried-call.ts'

interface Props {
  operation: Operation
  schemas: Schemas
}

/** A form to make the call, for this server: as a command to copy, or at once in the session of this browser. */
export function TryIt({ operation, schemas }: Props) {
  const [filled, setFilled] = useState<Filled>(() => ({ values: {}, body: startingBody(operation.body, schemas) }))
  const [isChecked, setChecked] = useState(false)
  const call = useCall(operation, filled)
  const lacking = isChecked ? missing(operation, filled) : []
  const bodyFault = isChecked && operation.body ? jsonFault(filled.body) : undefined
  const submit = () => {
    setChecked(true)
    if (missing(operation, filled).length === 0 && !(operation.body && jsonFault(filled.body))) call.mutate()
  }
  return (
    <Panel title="Try it">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {operation.parameters.map((parameter) => (
          <ParameterInput
            key={parameter.name}
            parameter={parameter}
            schemas={schemas}
            value={filled.values[parameter.name] ?? ''}
            isMissing={lacking.includes(parameter.name)}
            onChange={(value) => setFilled({ ...filled, values: { ...filled.values, [parameter.name]: value } })}
          />
        ))}
        {operation.body && (
          <BodyInput
            schema={operation.body}
            schemas={schemas}
            text={filled.body}
            fault={bodyFault}
            onChange={(body) => setFilled({ ...filled, body })}
          />
        )}
        <CodeBlock label="cURL command" text={commandOf(operation, filled, location.origin)} />
        <SendButton operation={operation} isBusy={call.isPending} />
      </form>
      <div className="mt-3 flex flex-col gap-3">
        {call.isError && <Fault text={call.error.message} />}
        {call.data && <TriedAnswer tried={call.data} />}
      </div>
    </Panel>
  )
}

function useCall(operation: Operation, filled: Filled) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => tryCall(operation.method, addressOf(operation, filled), operation.body ? filled.body : undefined),
    // Other pages of the app show what was changed.
    onSuccess: ({ status }) => {
      if (operation.method !== 'GET' && status < 300) void client.invalidateQueries()
    },
  })
}

function SendButton({ operation, isBusy }: { operation: Operation; isBusy: boolean }) {
  const session = useSession()
  const { method, path, isPublic } = operation
  const isReading = method === 'GET'
  return (
    <>
      <Button
        type="submit"
        look={method === 'DELETE' ? 'danger' : 'primary'}
        isBusy={isBusy}
        className="h-auto! min-h-control shrink! py-1.5 font-mono break-all whitespace-normal!"
      >
        {`Send ${method} ${path}`}
      </Button>
      {!isReading && (
        <p className={`text-sm ${method === 'DELETE' ? 'font-medium text-fail' : 'text-ink-soft'}`}>
          {method === 'DELETE' ? 'This deletes for real, on this server.' : 'This acts for real, on this server.'}
        </p>
      )}
      {session.data === null && !isPublic && (
        <p>
          Nobody is signed in, so the server will refuse it. <SignInLink />
        </p>
      )}
    </>
  )
}
