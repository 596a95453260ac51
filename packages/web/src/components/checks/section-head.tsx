import { ChevronRight } from 'lucide-react'
import { StateIcon, stateLooks, statesWorstFirst } from './state-mark.tsx'
import type { Section } from './sections.ts'

interface Props {
  section: Section
  isFolded: boolean
  onFold: (key: string) => void
}

const shownStates = statesWorstFirst.filter((state) => state !== 'passing')

/** The head of a part of the list: its name, how many checks are in it, and what is wrong among them. */
export function SectionHead({ section, isFolded, onFold }: Props) {
  return (
    <h2 className="h-full">
      <button
        type="button"
        aria-expanded={!isFolded}
        onClick={() => onFold(section.key)}
        className="flex h-full w-full items-center gap-2 border-b border-line bg-page px-3 text-sm font-semibold outline-offset-[-2px]"
      >
        <ChevronRight
          aria-hidden="true"
          className={`size-4 shrink-0 text-ink-soft transition-transform ${isFolded ? '' : 'rotate-90'}`}
        />
        <span className="truncate">{section.title}</span>
        <span className="font-normal text-ink-soft">{section.total}</span>
        <span className="ml-1 flex gap-2 font-normal">
          {shownStates
            .filter((state) => (section.counts[state] ?? 0) > 0 && section.counts[state] !== section.total)
            .map((state) => (
              <span key={state} className={`flex items-center gap-1 ${stateLooks[state].ink}`}>
                <StateIcon state={state} />
                {section.counts[state]}
                <span className="sr-only">{stateLooks[state].label.toLowerCase()}</span>
              </span>
            ))}
        </span>
      </button>
    </h2>
  )
}
