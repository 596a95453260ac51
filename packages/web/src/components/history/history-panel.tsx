import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { checkTypeOf, phasesOf } from '@vedette/checks'
import { longestPhaseRange, type OverviewRow } from '@vedette/wire'
import { historyQuery, phasesQuery } from '../../api/history.ts'
import { rangeOf, type CheckSearch } from '../../app/check-search.ts'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { serverNow } from '../time/time-text.tsx'
import { ChartKind, chartKind } from './chart-kind.tsx'
import type { Limits } from './chart/chart-options.ts'
import { HistoryChart } from './chart/history-chart.tsx'
import { RangeBar } from './range-bar.tsx'
import { SummaryFigures } from './summary-figures.tsx'

interface Props {
  item: OverviewRow
  search: CheckSearch
  limits: Limits
  onZoom: (from: number, to: number) => void
  onOpen: (from: number, to: number) => void
}

const follow = { placeholderData: keepPreviousData, refetchInterval: 60_000 } as const

/** How a check did over the range: its figures and a chart. */
export function HistoryPanel({ item, search, limits, onZoom, onOpen }: Props) {
  const history = useQuery({ ...historyQuery(item.checkId, search), ...follow })
  const { phases, hasPhases, isTooLong, fault } = usePhases(item, search)
  /** What waits for events has no response times: its episodes say when it failed. */
  const isTimed = checkTypeOf(item.checkType)?.mode.kind !== 'passive'
  return (
    <Panel title="History" aside={<RangeBar checkId={item.checkId} search={search} />}>
      {history.isError && <Fault text={history.error.message} onRetry={() => void history.refetch()} />}
      {history.isPending && <Skeleton label="Reading the history" lines={6} />}
      {history.data && (
        <div className={history.isPlaceholderData ? 'opacity-60' : undefined}>
          <SummaryFigures summary={history.data.summary} isTimed={isTimed} />
          {isTimed && (
            <div className="mt-4">
              {hasPhases && <ChartKind />}
              {isTooLong && (
                <p role="status" className="mt-2 text-sm text-ink-soft">
                  Phases are shown for up to {longestPhaseRange / 3600} hours. This longer range is shown by location.
                </p>
              )}
              {fault !== undefined && <Fault text={fault} />}
              <HistoryChart history={history.data} phases={phases} limits={limits} onZoom={onZoom} onOpen={onOpen} />
            </div>
          )}
        </div>
      )}
    </Panel>
  )
}

/** The phases of the range where the reader wants them and the range is short enough. */
function usePhases({ checkId, checkType }: OverviewRow, search: CheckSearch) {
  const hasPhases = phasesOf(checkTypeOf(checkType)?.resultView ?? []).length > 0
  const wanted = chartKind.use() === 'phases' && hasPhases
  const { from, to } = rangeOf(search, serverNow())
  const isShort = to - from <= longestPhaseRange
  const phases = useQuery({ ...phasesQuery(checkId, search), ...follow, enabled: wanted && isShort })
  return {
    hasPhases,
    phases: wanted && isShort ? phases.data : undefined,
    isTooLong: wanted && !isShort,
    fault: wanted && isShort ? phases.error?.message : undefined,
  }
}
