import { useState } from 'react'
import { Button } from './button.tsx'

interface Props {
  /** The action with its object: "Delete SHOP_TOKEN". */
  act: string
  onConfirm: () => void
  disabled?: boolean
}

/** A destructive action that must be confirmed with a second button, which names what is deleted. */
export function ConfirmedButton({ act, onConfirm, disabled }: Props) {
  const [asked, setAsked] = useState(false)
  const [verb = act] = act.split(' ')
  if (!asked)
    return (
      <Button look="danger" aria-label={act} onClick={() => setAsked(true)} disabled={disabled}>
        {verb}
      </Button>
    )
  return (
    <span className="flex flex-wrap gap-2">
      <Button
        look="danger"
        autoFocus
        onClick={() => {
          setAsked(false)
          onConfirm()
        }}
      >
        Yes, {act.charAt(0).toLowerCase() + act.slice(1)}
      </Button>
      <Button onClick={() => setAsked(false)}>Keep it</Button>
    </span>
  )
}
