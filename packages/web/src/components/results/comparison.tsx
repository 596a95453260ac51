import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { checkTypeOf, valueAt, type CheckResult } from '@vedette/checks'
import { useState } from 'react'
import { call, withQuery } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { Moment } from '../time/time-text.tsx'
import { differences } from './differences.ts'

/** Whether one wants to know what was otherwise when all was well. */
export const isBad = ({ outcome, isDegraded }: CheckResult): boolean => outcome !== 'pass' || isDegraded === true

/** What differs from the last good run before this one, if possible of the same location. */
export function Comparison({ result }: { result: CheckResult }) {
  const [isOpen, setOpen] = useState(isBad(result))
  return (
    <Panel
      title="Compared with the last good run"
      aside={
        !isOpen && (
          <Button look="quiet" onClick={() => setOpen(true)}>
            Compare
          </Button>
        )
      }
    >
      {isOpen ? <Compared result={result} /> : <p className="text-ink-soft">This run was a good one itself.</p>}
    </Panel>
  )
}

function Compared({ result }: { result: CheckResult }) {
  const good = useQuery({ queryKey: ['last-good', result.id], queryFn: () => lastGood(result), staleTime: Infinity })
  if (good.isPending) return <Skeleton label="Reading the last good run" />
  if (good.isError) return <Fault text={good.error.message} onRetry={() => void good.refetch()} />
  if (good.data === null) return <p className="text-ink-soft">There is no good run before this one.</p>
  const type = checkTypeOf(result.checkType)
  if (!type || type.resultKey === null) return null
  const found = differences(type.resultView, valueAt(good.data, type.resultKey), valueAt(result, type.resultKey))
  return (
    <>
      <p className="mb-2 text-sm text-ink-soft">
        That run was at{' '}
        <Link
          to="/checks/$checkId/results/$resultId"
          params={{ checkId: result.checkId, resultId: good.data.id }}
          className="text-accent underline"
        >
          <Moment at={good.data.startedAt ?? good.data.dueAt} />
        </Link>
        {good.data.runLocation !== null &&
          `, from ${good.data.runLocation}${good.data.emulatedLocation ? ' (emulated)' : ''}`}
        .
      </p>
      <Table
        caption="What differs from the last good run"
        nothing="Both runs saw the same."
        columns={[{ label: 'What' }, { label: 'Then' }, { label: 'This run' }]}
        rows={found.map(({ section, name, was, is }, at) => ({
          key: `${section} ${name} ${at}`,
          cells: [
            <span key="where" className="text-ink-soft">
              {name === '' ? section : `${section}: ${name}`}
            </span>,
            <Value key="was" text={was} />,
            <Value key="is" text={is} />,
          ],
        }))}
      />
    </>
  )
}

function Value({ text }: { text: string | undefined }) {
  return text === undefined ? (
    <span className="text-ink-soft">not there</span>
  ) : (
    <code className="block min-w-36 font-mono text-sm [overflow-wrap:anywhere]">{text}</code>
  )
}

/** Newest first: the run of the same location among the last good ones, else the newest of them. */
async function lastGood(result: CheckResult): Promise<CheckResult | null> {
  const path = `/v2/check-results/${result.checkId}`
  const asked = { nextId: result.id, hasFailures: false, fields: 'id,outcome,isDegraded,runLocation', limit: 100 }
  const { entries } = await call<{ entries: CheckResult[] }>('GET', withQuery(path, asked))
  const good = entries.filter(({ outcome, isDegraded }) => outcome === 'pass' && isDegraded !== true)
  const best = good.find(({ runLocation }) => runLocation === result.runLocation) ?? good[0]
  return best === undefined ? null : call<CheckResult>('GET', `/v1/check-results/${result.checkId}/${best.id}`)
}
