import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'

/** A text to copy, such as a command: shown whole, copied with one press. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="flex items-start gap-1">
      <code className="min-w-0 flex-1 rounded-md bg-surface px-2 py-1.5 font-mono text-sm break-all whitespace-pre-wrap">
        {text}
      </code>
      <IconButton
        label={isCopied ? 'Copied' : label}
        icon={
          isCopied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />
        }
        onClick={() => void copy()}
      />
    </div>
  )
}

/** Commands to copy, each under what it does. */
export const Commands = ({ commands }: { commands: readonly { title: string; command: string }[] }) =>
  commands.map(({ title, command }) => (
    <div key={title}>
      <h3 className="mb-1 text-sm font-medium">{title}</h3>
      <div className="rounded-md bg-sunken p-1.5">
        <CopyText text={command} label={`Copy: ${title}`} />
      </div>
    </div>
  ))
