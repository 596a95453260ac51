import { useQuery } from '@tanstack/react-query'
import type { CheckResult } from '@vedette/checks'
import type { Traceroute } from '@vedette/wire'
import { Download } from 'lucide-react'
import { networkFilesOf } from '../../api/network-files.ts'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { Moment } from '../time/time-text.tsx'
import { measuredText } from './measured-text.ts'
import { routeSentence } from './route-sentence.ts'

/** What the agent found out about network trouble: the way to the target, and the packets. They come some seconds after the result. */
export function NetworkPath({ result }: { result: CheckResult }) {
  const isLookedInto = result.outcome === 'fail' && result.error?.network === true
  const files = useQuery({
    queryKey: ['assets', result.checkId, result.id],
    queryFn: () => networkFilesOf(result),
    enabled: isLookedInto,
  })
  if (files.isError)
    return (
      <Panel title="Way to the target">
        <Fault text={files.error.message} onRetry={() => void files.refetch()} />
      </Panel>
    )
  if (!files.data) return null
  const { traceroute, capture, isEarlier } = files.data
  return (
    <Panel
      title="Way to the target"
      aside={
        capture && (
          <a
            href={capture}
            download
            className="inline-flex min-h-control items-center gap-1.5 text-accent underline decoration-line-strong underline-offset-4"
          >
            <Download aria-hidden="true" className="size-4" />
            Packet capture
          </a>
        )
      }
    >
      {isEarlier && <p className="mb-2 text-ink-soft">Taken after an earlier attempt of this run.</p>}
      {traceroute ? (
        <Route route={traceroute} />
      ) : (
        <p className="text-ink-soft">The agent captured the packets of this run. It cannot take traceroutes.</p>
      )}
    </Panel>
  )
}

const columns = [
  { label: 'Hop', isNumber: true },
  { label: 'Address' },
  ...['Loss', 'Last', 'Average', 'Best', 'Worst', 'Deviation'].map((label) => ({ label, isNumber: true })),
]

function Route({ route }: { route: Traceroute }) {
  return (
    <>
      <p className="mb-2 break-words">
        {routeSentence(route)}{' '}
        <span className="text-ink-soft">
          Traced at <Moment at={route.startedAt} />.
        </span>
      </p>
      <Table
        caption="Traceroute"
        nothing="No router answered."
        columns={columns}
        rows={route.hops.map(({ hop_number, main_ip, other_ips, loss_percentage, rtt }) => ({
          key: String(hop_number),
          cells: [
            hop_number,
            <code key="address" className="font-mono text-sm break-all">
              {main_ip === null ? '*' : [main_ip, ...other_ips].join(', ')}
            </code>,
            measuredText(loss_percentage, 'percent'),
            ...[rtt?.last_ms, rtt?.avg_ms, rtt?.best_ms, rtt?.worst_ms, rtt?.stddev_ms].map((ms) =>
              ms === undefined ? '' : measuredText(ms, 'ms'),
            ),
          ],
        }))}
      />
    </>
  )
}
