import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleHelp, CloudOff, TriangleAlert, type LucideIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { healthQuery } from '../../components/system/health-query.ts'
import { signalOf, type Signal } from '../../components/system/signal-view.ts'
import { useConnection } from '../../live/live-provider.tsx'
import { PartOnItsWay } from '../../components/system/part-on-its-way.tsx'
import { lazyPart } from '../lazy-part.ts'

const looks: Record<Signal['tone'], { icon: LucideIcon; look: string }> = {
  ok: { icon: CircleCheck, look: 'text-ink-soft [&_svg]:text-pass' },
  waiting: { icon: CircleDashed, look: 'text-ink-soft' },
  degraded: { icon: TriangleAlert, look: 'bg-degraded-wash font-medium text-degraded' },
  failing: { icon: CloudOff, look: 'bg-fail-wash font-medium text-fail' },
  unknown: { icon: CircleHelp, look: 'bg-unknown-wash font-medium text-unknown' },
}

const HealthSheet = lazyPart('asked', async () => (await import('./health-sheet.tsx')).HealthSheet)

/** Whether what the app shows is current, and whether Vedette itself is well. Opens the reasons. */
export function HealthSignal() {
  const [isOpen, setOpen] = useState(false)
  const connection = useConnection()
  const health = useQuery(healthQuery)
  const signal = signalOf(connection, health)
  const { icon: Icon, look } = looks[signal.tone]
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        title="Health of Vedette"
        className={`flex h-control max-w-72 items-center gap-1.5 rounded-md px-2.5 hover:bg-sunken max-sm:w-control max-sm:justify-center max-sm:px-0 ${look}`}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <span role="status" className="truncate max-sm:sr-only">
          {signal.text}
        </span>
      </button>
      {isOpen && (
        <Suspense fallback={<PartOnItsWay />}>
          <HealthSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
