import { useNavigate } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { rangeOf, ranges, type CheckSearch, type Range } from '../../app/check-search.ts'
import { useZone } from '../../app/reader-choices.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Complaint, Field, inputLook } from '../../ui/field.tsx'
import { absoluteTime } from '../time/format-time.ts'
import { serverNow } from '../time/time-text.tsx'
import { fromInput, toInput } from './input-time.ts'

interface Props {
  checkId: string
  search: CheckSearch
}

const look =
  'h-control px-2.5 text-ink-soft first:rounded-l-md last:rounded-r-md border-line border-y border-r first:border-l hover:text-ink aria-pressed:bg-accent-wash aria-pressed:font-medium aria-pressed:text-accent'

/** Which time the page is about. */
export function RangeBar({ checkId, search }: Props) {
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = useState(false)
  const utc = useZone() === 'utc'
  const range = rangeOf(search, serverNow())
  const show = (next: CheckSearch) =>
    void navigate({ to: '/checks/$checkId', params: { checkId }, search: next, replace: true })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div role="group" aria-label="Range" className="flex rounded-md bg-surface">
        {ranges.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={range.name === name}
            onClick={() => show({ range: name })}
            className={look}
          >
            {name.replace('h', ' h').replace('d', ' d')}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={range.name === undefined}
          onClick={() => setChoosing(true)}
          className={look}
        >
          <span className="flex items-center gap-1.5">
            <CalendarClock aria-hidden="true" className="size-4" />
            Custom
          </span>
        </button>
      </div>
      {range.name === undefined && (
        <span className="text-sm text-ink-soft">
          {absoluteTime(range.from * 1000, utc)} to {absoluteTime(range.to * 1000, utc)}
        </span>
      )}
      {isChoosing && (
        <Dialog isOpen onClose={() => setChoosing(false)} title="Range">
          <RangeForm
            range={range}
            utc={utc}
            onChoose={(from, to) => {
              setChoosing(false)
              show({ from, to })
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

function RangeForm({
  range,
  utc,
  onChoose,
}: {
  range: Range
  utc: boolean
  onChoose: (from: number, to: number) => void
}) {
  const [from, setFrom] = useState(() => toInput(range.from, utc))
  const [to, setTo] = useState(() => toInput(range.to, utc))
  const [start, end] = [fromInput(from, utc), fromInput(to, utc)]
  const complaint = rangeComplaint(start, end)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (complaint === undefined && start !== undefined && end !== undefined) onChoose(start, end)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={utc ? 'From (UTC)' : 'From'}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            className={inputLook}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field label={utc ? 'To (UTC)' : 'To'}>
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            className={inputLook}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      {complaint !== undefined && <Complaint text={complaint} />}
      <Button type="submit" look="primary" disabled={complaint !== undefined}>
        Show
      </Button>
    </form>
  )
}

function rangeComplaint(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined || to === undefined) return 'Both ends need a date and a time.'
  if (to <= from) return 'The end must be after the start.'
  return to - from > 8 * 86_400 ? 'A range can be 8 days long at most.' : undefined
}
