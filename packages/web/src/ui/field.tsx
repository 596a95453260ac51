import { useId, type ReactNode } from 'react'

const textLook =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 placeholder:text-ink-soft/80 disabled:opacity-60 aria-[invalid=true]:border-fail aria-[invalid=true]:outline-1 aria-[invalid=true]:outline-fail aria-[invalid=true]:focus-visible:outline-2'

/** Classes of text areas. */
export const areaLook = `${textLook} py-1.5 font-mono text-sm`

/** Classes of one-line inputs. */
export const inputLook = `${textLook} h-control text-base leading-6`

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
export function Field({ label, help, faulty = false, complaint, children }: Props) {
  const id = useId()
  const describedBy = [help !== undefined && `${id}-help`, complaint !== undefined && `${id}-complaint`]
    .filter((each) => each !== false)
    .join(' ')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': faulty, ...(describedBy !== '' && { 'aria-describedby': describedBy }) })}
      {complaint !== undefined && <Complaint id={`${id}-complaint`} text={complaint} />}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}

/** What is wrong with the control before it. */
export function Complaint({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className="text-sm font-medium break-words text-fail">
      {text}
    </p>
  )
}
