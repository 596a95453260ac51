import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OverviewRow } from '@vedette/wire'
import { factsQuery } from '../../api/read-check.ts'

/** That nobody is notified of a trouble, because a parent of the check fails. Nothing when an alert is not held back. */
export function HeldBack({ item: { checkId, state } }: { item: OverviewRow }) {
  const inTrouble = ['failing', 'degraded', 'unknown'].includes(state)
  const { data } = useQuery({ ...factsQuery(checkId), enabled: inTrouble, refetchInterval: 15_000 })
  const parent = inTrouble ? data?.heldBackBy : null
  if (!parent) return null
  return (
    <p className="mt-1.5 font-medium">
      Held back: its parent{' '}
      <Link
        to="/checks/$checkId"
        params={{ checkId: parent.id }}
        className="break-words text-accent underline underline-offset-2"
      >
        {parent.name}
      </Link>{' '}
      is failing. Nobody is notified of this check until that is over.
    </p>
  )
}
