import { useId, type ReactNode } from 'react'

export const inputLook =
  'min-h-11 w-full rounded-lg border border-line-strong bg-surface px-3 py-2 aria-[invalid=true]:border-fail aria-[invalid=true]:border-2'

interface Control {
  id: string
  'aria-describedby'?: string
  'aria-invalid': boolean
}

interface Props {
  label: string
  help?: string | undefined
  faulty?: boolean
  /** What is wrong with it. */
  complaint?: string | undefined
  children: (control: Control) => ReactNode
}

/** A label, its control, and help that is read out with it. */
export function Labelled({ label, help, faulty = false, complaint, children }: Props) {
  const id = useId()
  const describedBy = [help !== undefined && `${id}-help`, complaint !== undefined && `${id}-complaint`]
    .filter((each) => each !== false)
    .join(' ')
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': faulty, ...(describedBy !== '' && { 'aria-describedby': describedBy }) })}
      {complaint !== undefined && (
        <p id={`${id}-complaint`} className="text-sm font-semibold break-words text-fail">
          {complaint}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}

/** A box to tick, large enough for a thumb. */
export function Tick({
  label,
  help,
  checked,
  onChange,
}: {
  label: string
  help?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-(--accent)"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
        />
        <span className="min-w-0 break-words">{label}</span>
      </label>
      {help !== undefined && (
        <p id={`${id}-help`} className="-mt-1.5 pl-8 text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}
