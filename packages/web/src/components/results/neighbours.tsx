import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckResult } from '@vedette/checks'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { call, withQuery } from '../../api/client.ts'
import type { ListedResult } from '../../api/listed-results.ts'
import { buttonLook } from '../../ui/button.tsx'

interface List {
  entries: Pick<ListedResult, 'id'>[]
}

/** Seconds after a result in which the next one is looked for. Beyond, the newest one is near enough. */
const nextWithin = 3600

/** Ways to the results before and after this one. */
export function Neighbours({ result }: { result: CheckResult }) {
  const { checkId, id } = result
  const previous = useQuery({
    queryKey: ['neighbour', 'previous', id],
    queryFn: () => list(checkId, { nextId: id, limit: 1 }),
  })
  const next = useQuery({
    queryKey: ['neighbour', 'next', id],
    queryFn: () => {
      const from = Math.floor(Date.parse(result.startedAt ?? result.dueAt) / 1000)
      return list(checkId, { from, to: from + nextWithin, limit: 100 })
    },
  })
  const later = next.data?.entries ?? []
  const at = later.findIndex((entry) => entry.id === id)
  return (
    <nav aria-label="Results" className="flex gap-1">
      <Way
        checkId={checkId}
        id={previous.data?.entries[0]?.id}
        label="Previous"
        icon={<ChevronLeft className="size-4" />}
      />
      <Way
        checkId={checkId}
        id={at > 0 ? later[at - 1]?.id : undefined}
        label="Next"
        icon={<ChevronRight className="size-4" />}
        isAfter
      />
    </nav>
  )
}

const list = (checkId: string, query: Record<string, string | number>) =>
  call<List>('GET', withQuery(`/v2/check-results/${checkId}`, { ...query, fields: 'id' }))

interface WayProps {
  checkId: string
  id: string | undefined
  label: string
  icon: React.ReactNode
  /** The icon stands after the words. */
  isAfter?: boolean
}

/** It keeps its place where there is no such result. */
function Way({ checkId, id, label, icon, isAfter = false }: WayProps) {
  const content = (
    <>
      {!isAfter && icon}
      {label}
      {isAfter && icon}
    </>
  )
  if (id === undefined)
    return (
      <span aria-disabled="true" className={`${buttonLook('quiet')} opacity-50`}>
        {content}
      </span>
    )
  return (
    <Link
      to="/checks/$checkId/results/$resultId"
      params={{ checkId, resultId: id }}
      replace
      className={buttonLook('quiet')}
    >
      {content}
    </Link>
  )
}
