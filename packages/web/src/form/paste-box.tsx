import { useNavigate } from '@tanstack/react-router'
import { checkTypes, withValueAt, type AnyCheckType, type PastedCheck } from '@vedette/checks'
import { ClipboardPaste } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Complaint, inputLook } from '../ui/field.tsx'
import { keepDraft } from './use-draft.ts'
import { draftOf, startOf } from './start-of.ts'

interface Props {
  type: AnyCheckType
  /** Puts what was read into the form. */
  onFill: (change: (definition: Record<string, unknown>) => Record<string, unknown>) => void
}

/** Fills the form from an address or a command. What another type of check understands leads to its form. */
export function PasteBox({ type, onFill }: Props) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [isUnread, setUnread] = useState(false)
  const fill = (pasted: string) => {
    const found = understood(type, pasted)
    setUnread(found === undefined && pasted.trim() !== '')
    if (found === undefined) return
    setText('')
    if (found.type === type) return onFill((definition) => filled(definition, found.check))
    keepDraft(draftOf(found.type), filled(startOf(found.type, undefined), found.check))
    void navigate({ to: '/checks/new/$path', params: { path: found.type.path } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    fill(text)
  }
  return (
    <form onSubmit={submit} className="mb-4">
      <div className="flex gap-2">
        <input
          aria-label="Address or cURL command"
          placeholder="Paste an address or a cURL command"
          className={inputLook}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            // Line breaks of a command would be lost in a field of one line.
            event.preventDefault()
            fill(event.clipboardData.getData('text'))
          }}
        />
        <Button type="submit" icon={<ClipboardPaste aria-hidden="true" className="size-4" />}>
          Fill in
        </Button>
      </div>
      {isUnread && (
        <Complaint text="This is neither an address, such as https://shop.example.com or db.example.com:5432, nor a cURL command." />
      )}
    </form>
  )
}

/** The type that understands the text: the open one, or else another. */
function understood(type: AnyCheckType, text: string): { type: AnyCheckType; check: PastedCheck } | undefined {
  for (const each of [type, ...checkTypes.filter((other) => other !== type)]) {
    const check = each.fromText?.(text)
    if (check !== undefined) return { type: each, check }
  }
  return undefined
}

/** A name that was given stays. */
function filled(definition: Record<string, unknown>, { name, values }: PastedCheck): Record<string, unknown> {
  const named = definition['name'] === '' ? { ...definition, name } : definition
  return Object.entries(values).reduce((all, [path, value]) => withValueAt(all, path, value), named)
}
