import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'

/** Lines to copy, such as a command, as they are. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  const isCopied = copied === text
  const Icon = isCopied ? Check : Copy
  return (
    <div className="flex items-start gap-1 rounded-md bg-sunken">
      <pre aria-label={label} className="min-w-0 flex-1 p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
      <IconButton
        label={isCopied ? 'Copied' : `Copy: ${label}`}
        icon={<Icon aria-hidden="true" className="size-4" />}
        onClick={() => void copy()}
      />
    </div>
  )
}
