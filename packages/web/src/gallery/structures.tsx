import { Send } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault, Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Sample } from './sample.tsx'

/** What holds content: panels, tabs, tables, and what stands in for content. */
export function Structures() {
  return (
    <>
      <Sample name="Panel">
        <div className="w-full">
          <Panel title="Agents" aside={<Button look="quiet">Do</Button>}>
            <Fault text="The server did not answer." onRetry={() => undefined} />
          </Panel>
        </div>
      </Sample>
      <Sample name="Tabs">
        <div className="w-full">
          <Tabs
            label="Request"
            tabs={[
              { id: 'params', label: 'Params', content: 'No parameters.' },
              { id: 'headers', label: 'Headers', count: 3, content: 'Three headers.' },
            ]}
          />
        </div>
      </Sample>
      <Sample name="Table">
        <Table
          caption="Response times"
          nothing="Nothing was measured."
          columns={[{ label: 'Location' }, { label: 'p95', isNumber: true }]}
          rows={[
            { key: 'eu', cells: ['eu-west-1', '120 ms'] },
            { key: 'us', cells: ['us-east-1', '310 ms'] },
          ]}
        />
        <Table caption="Nothing" nothing="Nothing was measured in this range." columns={[]} rows={[]} />
      </Sample>
      <Sample name="Skeleton">
        <Skeleton label="Reading" className="w-80" lines={4} />
      </Sample>
      <Sample name="Empty state">
        <EmptyState
          icon={<Send />}
          title="Nobody is notified yet"
          actions={<Button look="primary">Add webhook</Button>}
        >
          A channel carries alerts to people.
        </EmptyState>
      </Sample>
    </>
  )
}
