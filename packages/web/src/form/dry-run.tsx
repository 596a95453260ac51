import type { CheckResult } from '@vedette/checks'
import { Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PickValueProvider } from '../components/results/pick-value.ts'
import { ResultStory } from '../components/results/result-story.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useAssertPicked } from './assert-picked.ts'

interface Props {
  result: CheckResult | undefined
  isRunning: boolean
}

/** What one run of the check, as it is in the form, came to. It stands beside the form, and scrolls for itself. */
export function DryRun({ result, isRunning }: Props) {
  const picking = useAssertPicked()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // Where the answer stands below the form it comes into view; beside the form nothing needs to move.
    if (result !== undefined && section.current) section.current.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <section
      ref={section}
      tabIndex={0}
      aria-label="Dry run"
      className="min-w-0 scroll-mt-16 xl:sticky xl:top-16 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto"
    >
      {isRunning && <Skeleton label="Running" lines={6} />}
      {!isRunning && result === undefined && (
        <div className="rounded-lg border border-dashed border-line max-xl:hidden">
          <EmptyState icon={<Play />} title="Try it before you save it">
            One run from this server shows what comes back, and whether your assertions hold. Nothing is stored and
            nobody is notified.
          </EmptyState>
        </div>
      )}
      {!isRunning && result !== undefined && (
        <>
          <h2 className="mb-2 font-semibold">Dry run (nothing was saved)</h2>
          <p className="mb-2 text-sm text-ink-soft">Click a value of the response to assert it.</p>
          <PickValueProvider value={picking}>
            <ResultStory result={result} />
          </PickValueProvider>
        </>
      )}
    </section>
  )
}
