import { useEffect, useState } from 'react'

type Draft = Record<string, unknown>

interface Kept {
  definition: Draft
  change: (next: (current: Draft) => Draft) => void
  /** It was typed before this page was opened, and not saved. */
  isRestored: boolean
  /** Begins anew with what is stored. */
  startOver: () => void
  /** It was saved: nothing is left to keep. */
  forget: () => void
}

/** What is typed into a form, kept for this tab: neither a wrong click nor a reload loses it. */
export function useDraft(name: string, start: Draft): Kept {
  const key = keyOf(name)
  const [first] = useState(start)
  const [kept] = useState(() => read(key))
  const [definition, setDefinition] = useState(kept ?? first)
  const [isRestored, setRestored] = useState(kept !== undefined)
  useEffect(() => {
    if (definition !== first) sessionStorage.setItem(key, JSON.stringify(definition))
  }, [key, definition, first])
  return {
    definition,
    change: (next) => setDefinition(next),
    isRestored,
    startOver() {
      sessionStorage.removeItem(key)
      setDefinition(first)
      setRestored(false)
    },
    forget: () => sessionStorage.removeItem(key),
  }
}

const keyOf = (name: string) => `vedette-draft ${name}`

/** Keeps a definition for the form of that name, as if it had been typed there. */
export const keepDraft = (name: string, definition: Draft): void =>
  sessionStorage.setItem(keyOf(name), JSON.stringify(definition))

function read(key: string): Draft | undefined {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as Draft)
}
