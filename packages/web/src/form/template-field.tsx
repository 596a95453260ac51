import { useQuery } from '@tanstack/react-query'
import type { FormField, TemplateVariable } from '@vedette/wire'
import { Braces } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { call } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { areaLook, Field } from '../ui/field.tsx'
import { Picker } from '../ui/picker.tsx'
import { inserted } from './channel/inserted.ts'
import { useField } from './form-context.ts'

/** A template of what is sent, with the variables it may use at hand. */
export function TemplateField({ field }: { field: FormField }) {
  const { value, set, faulty, complaint } = useField<string | null>(field.path)
  const text = value ?? ''
  const area = useRef<HTMLTextAreaElement>(null)
  const cursor = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (cursor.current !== undefined) area.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = undefined
  }, [text])
  const insert = (name: string) => {
    const { selectionStart: from = text.length, selectionEnd: to = text.length } = area.current ?? {}
    const next = inserted(text, { from, to }, `{{${name}}}`)
    cursor.current = next.cursor
    set(next.text)
  }
  return (
    <Field label={field.label} help={field.help} faulty={faulty} complaint={complaint}>
      {(control) => (
        <>
          <div className="flex justify-end md:-mt-8">
            <VariablePicker onPick={insert} focusAfter={area} />
          </div>
          <textarea
            {...control}
            ref={area}
            rows={10}
            spellCheck={false}
            className={areaLook}
            value={text}
            placeholder={field.placeholder}
            onChange={(event) => set(event.target.value)}
          />
        </>
      )}
    </Field>
  )
}

interface PickerProps {
  onPick: (name: string) => void
  focusAfter: React.RefObject<HTMLElement | null>
}

/** Every variable, with what it means and what it is in the sample of the preview. */
function VariablePicker({ onPick, focusAfter }: PickerProps) {
  const { data: variables = [] } = useQuery({
    queryKey: ['template-variables'],
    queryFn: () => call<TemplateVariable[]>('GET', '/v1/alert-template-variables'),
    staleTime: 60_000,
  })
  return (
    <Picker
      label="Insert a variable"
      placeholder="Name or meaning"
      items={variables.map((variable) => ({
        id: variable.name,
        label: variable.name,
        detail: (
          <>
            {variable.meaning} <span className="font-mono text-xs break-all">{sampleText(variable)}</span>
          </>
        ),
        words: variable.meaning,
      }))}
      onPick={({ id }) => onPick(id)}
      focusAfter={focusAfter}
      trigger={
        <Button look="quiet" icon={<Braces aria-hidden="true" className="size-4" />}>
          Insert a variable
        </Button>
      }
    />
  )
}

const sampleText = ({ sample }: TemplateVariable): string =>
  typeof sample === 'string' ? sample : JSON.stringify(sample ?? null)
