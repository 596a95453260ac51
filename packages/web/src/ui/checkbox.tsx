import { useId } from 'react'

interface Props {
  label: string
  help?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A box to tick with its text, as high as other controls. */
export function Tick({ label, help, checked, onChange, disabled }: Props) {
  const id = useId()
  return (
    <div>
      <label className="flex min-h-control w-fit max-w-full items-center gap-2.5">
        <input
          type="checkbox"
          className={tickLook}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
        />
        <span className="min-w-0 break-words">{label}</span>
      </label>
      {help !== undefined && (
        <p id={`${id}-help`} className="-mt-1 pl-6.5 text-sm text-ink-soft max-md:pl-7.5">
          {help}
        </p>
      )}
    </div>
  )
}

export const tickLook = 'size-4 shrink-0 accent-(--accent) max-md:size-5'
