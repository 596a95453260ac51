import type { PlannedResource } from '@vedette/wire'
import { Minus, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'

type Action = PlannedResource['action']

/** How many of a plan there are of each action, in words. */
export function countsText(plan: readonly PlannedResource[], isApplied: boolean): string {
  const words: [Action, string][] = isApplied
    ? [
        ['create', 'created'],
        ['change', 'changed'],
        ['delete', 'deleted'],
      ]
    : [
        ['create', 'to create'],
        ['change', 'to change'],
        ['delete', 'to delete'],
      ]
  const parts = words.map(([action, word]) => `${countOf(plan, action)} ${word}`)
  return `${parts.join(', ')}, ${countOf(plan, 'unchanged')} unchanged.`
}

export const countOf = (plan: readonly PlannedResource[], action: Action): number =>
  plan.filter((one) => one.action === action).length

/** "alert channel". */
export const kindText = (kind: PlannedResource['kind']): string =>
  kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const looks = {
  create: { tone: 'accent', icon: Plus, label: 'create' },
  change: { tone: 'quiet', icon: Pencil, label: 'change' },
  delete: { tone: 'fail', icon: Minus, label: 'delete' },
} as const

/** What a plan does, each resource with what differs; without what stays as it is. */
export function PlanView({ plan }: { plan: readonly PlannedResource[] }) {
  return (
    <ul aria-label="Plan" className="divide-y divide-line">
      {plan.map(({ action, kind, name, changes }) => {
        if (action === 'unchanged') return null
        const { tone, icon: Icon, label } = looks[action]
        return (
          <li key={`${kind} ${name}`} className="py-2">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={tone} icon={<Icon aria-hidden="true" className="size-3.5" />}>
                {label}
              </Badge>
              <span className="text-ink-soft">{kindText(kind)}</span>
              {kind !== 'account' && <span className="min-w-0 font-medium wrap-anywhere">{name}</span>}
            </p>
            {changes.length > 0 && <Changes of={changes} />}
          </li>
        )
      })}
    </ul>
  )
}

function Changes({ of: changes }: { of: PlannedResource['changes'] }) {
  return (
    <dl className="mt-1.5 flex flex-col gap-2 border-l-2 border-line pl-3 text-sm">
      {changes.map(({ path, before, after }) => (
        <div key={path}>
          <dt className="font-mono wrap-anywhere">{path}</dt>
          <dd className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-2">
            <span className="text-ink-soft">now</span>
            <Value value={before} />
            <span className="text-ink-soft">then</span>
            <Value value={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const mostShown = 200

/** A value as JSON; a long one is shown in part until it is asked for. */
function Value({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  if (value === null || value === undefined) return <span className="text-ink-soft">left out</span>
  const text = JSON.stringify(value)
  const isCut = text.length > mostShown && !isWhole
  return (
    <span className="min-w-0">
      <code className="font-mono wrap-anywhere whitespace-pre-wrap">
        {isCut ? `${text.slice(0, mostShown)}…` : text}
      </code>
      {isCut && (
        <button
          type="button"
          className="block min-h-6 font-medium underline max-md:min-h-11"
          onClick={() => setWhole(true)}
        >
          Show all
        </button>
      )}
    </span>
  )
}
