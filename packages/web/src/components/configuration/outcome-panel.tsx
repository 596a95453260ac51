import type { PlannedResource } from '@vedette/wire'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import { countOf, countsText, PlanView } from './plan-view.tsx'
import { ProblemList } from './problem-list.tsx'
import type { Place } from './read-files.ts'
import type { Outcome } from './use-import.ts'

interface Props {
  outcome: Outcome | undefined
  fault: string | undefined
  isApplying: boolean
  onApply: (plan: readonly PlannedResource[]) => void
  onGo: (place: Place) => void
}

/** What the import would do, did, or why it cannot be done. */
export function OutcomePanel({ outcome, fault, isApplying, onApply, onGo }: Props) {
  const told = useRef<HTMLDivElement>(null)
  // On a phone it stands below the files.
  useEffect(() => {
    if (outcome ?? fault) told.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome, fault])
  return (
    <Panel title={outcome?.step === 'applied' ? 'Applied' : 'Plan'}>
      <div ref={told} className="scroll-my-48">
        {fault !== undefined && <Fault text={fault} />}
      </div>
      {outcome === undefined && fault === undefined && (
        <p className="text-ink-soft">
          The plan says what would be created, changed and deleted. Nothing is changed until it is applied.
        </p>
      )}
      {outcome?.step === 'refused' && <ProblemList problems={outcome.problems} onGo={onGo} />}
      {outcome?.step === 'planned' && <Planned {...outcome} isApplying={isApplying} onApply={onApply} />}
      {outcome?.step === 'applied' && (
        <>
          <p role="status">{countsText(outcome.plan, true)}</p>
          <PlanView plan={outcome.plan} />
        </>
      )}
    </Panel>
  )
}

interface PlannedProps extends Pick<Props, 'isApplying' | 'onApply'> {
  plan: readonly PlannedResource[]
  isAnother: boolean
}

function Planned({ plan, isAnother, isApplying, onApply }: PlannedProps) {
  const [isAsking, setAsking] = useState(false)
  const isEmpty = countOf(plan, 'unchanged') === plan.length
  return (
    <>
      {isAnother && (
        <p role="alert" className="mb-2 rounded-md bg-degraded-wash px-3 py-2">
          Nothing was applied: something was changed since the plan was made. This is the plan now; look at it again.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">{isEmpty ? `Nothing to do: ${plan.length} unchanged.` : countsText(plan, false)}</p>
        {!isEmpty && (
          <Button look="primary" isBusy={isApplying} onClick={() => setAsking(true)}>
            Apply the plan
          </Button>
        )}
      </div>
      <PlanView plan={plan} />
      {isAsking && (
        <ApplyDialog
          plan={plan}
          onClose={() => setAsking(false)}
          onApply={() => {
            setAsking(false)
            onApply(plan)
          }}
        />
      )}
    </>
  )
}
