import type { CheckHistory } from '@vedette/wire'
import { ChevronRight } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Table } from '../../../ui/table.tsx'
import { durationText } from '../../time/format-time.ts'
import { Moment } from '../../time/time-text.tsx'

const measured = (ms: number | null) => (ms === null ? 'none' : durationText(ms))

/** Response times of each location as a table, newest first. */
export function ChartTable({ history }: { history: CheckHistory }) {
  return (
    <NumbersTable
      caption="Response times"
      columns={[
        { label: 'From' },
        { label: 'Location' },
        { label: 'Runs', isNumber: true },
        { label: 'Failed', isNumber: true },
        { label: 'Degraded', isNumber: true },
        { label: 'p50', isNumber: true },
        { label: 'p95', isNumber: true },
        { label: 'Slowest', isNumber: true },
      ]}
      rows={() =>
        history.buckets
          .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
          .map((bucket) => ({
            key: `${bucket.at} ${bucket.location}`,
            cells: [
              <span key="at" className="whitespace-nowrap">
                <Moment at={bucket.at} />
              </span>,
              bucket.location,
              bucket.runs,
              bucket.failed,
              bucket.degraded,
              measured(bucket.p50),
              measured(bucket.p95),
              measured(bucket.max),
            ],
          }))
      }
    />
  )
}

interface Props extends Pick<ComponentProps<typeof Table>, 'caption' | 'columns'> {
  /** Made when the table is opened. */
  rows: () => ComponentProps<typeof Table>['rows']
}

/** The numbers of a chart as a table, behind a line that opens it. */
export function NumbersTable({ caption, columns, rows }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group mt-1" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex h-control w-fit items-center gap-1 text-sm font-medium text-ink-soft hover:text-ink">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
        Show as a table
      </summary>
      {isOpen && (
        <div className="max-h-96 overflow-y-auto">
          <Table caption={caption} nothing="Nothing was measured in this range." columns={columns} rows={rows()} />
        </div>
      )}
    </details>
  )
}
