import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ToggleChip } from '../../ui/chip.tsx'
import { inputLook } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { JsonTree } from './json-tree.tsx'
import { parsedJson } from './parsed-json.ts'

interface Props {
  text: string
  truncated: boolean
  /** Said of an empty body; without it nothing is shown. */
  nothing: string | undefined
  /** Assertion source that reads members of it. */
  source: string | undefined
}

/** Shorter texts that are no JSON are read at a glance and have no search. */
const searchedFrom = 200
/** Lines that are drawn at once. A longer body is searched as a whole, and shown in part. */
const shownLines = 2000

/** A body: JSON as a tree, anything else as text. Never rendered as markup. */
export function BodyView({ text, truncated, nothing, source }: Props) {
  const json = parsedJson(text)
  const [isRaw, setRaw] = useState(false)
  const [search, setSearch] = useState('')
  if (text === '') return nothing === undefined ? null : <p className="text-ink-soft">{nothing}</p>
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast('Copied the body.')
  }
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        {(json !== undefined || text.length >= searchedFrom) && (
          <input
            type="search"
            aria-label="Search the body"
            placeholder="Search the body"
            className={`${inputLook} md:w-56`}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
        {json !== undefined && (
          <ToggleChip isOn={isRaw} onClick={() => setRaw(!isRaw)}>
            As it came
          </ToggleChip>
        )}
        <Button look="quiet" icon={<Copy aria-hidden="true" className="size-4" />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <div
        role="region"
        aria-label="Body"
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-sm"
      >
        {json === undefined || isRaw ? (
          <Lines text={text} search={search} />
        ) : (
          <JsonTree value={json} search={search} source={source} />
        )}
      </div>
      {truncated && <p className="mt-1 text-sm text-ink-soft">The body is longer; the rest was not kept.</p>}
    </>
  )
}

/** The lines that contain what is searched, with their numbers; all of them while nothing is. */
function Lines({ text, search }: { text: string; search: string }) {
  const lines = text.split('\n').map((line, at) => ({ line, number: at + 1 }))
  const wanted = search.toLowerCase()
  const found = wanted === '' ? lines : lines.filter(({ line }) => line.toLowerCase().includes(wanted))
  if (found.length === 0) return <p className="text-ink-soft">Nothing matches “{search}”.</p>
  return (
    <>
      <pre className="break-words whitespace-pre-wrap">
        {found.slice(0, shownLines).map(({ line, number }) => (
          <span key={number} className="block min-h-4.5">
            {wanted !== '' && <span className="mr-3 text-ink-soft select-none">{number}</span>}
            {line}
          </span>
        ))}
      </pre>
      {found.length > shownLines && (
        <p className="text-ink-soft">{found.length - shownLines} more lines; search, or copy the whole body.</p>
      )}
    </>
  )
}
