import { Button } from '../ui/button.tsx'

/** Says that the form holds what was typed before, and offers what is stored instead. */
export function RestoredNote({ startOver }: { startOver: () => void }) {
  return (
    <p role="status" className="mb-3 flex flex-wrap items-center gap-3 rounded-md bg-accent-wash px-3 py-1">
      This is what you typed before and did not save.
      <Button look="quiet" onClick={startOver}>
        Start over
      </Button>
    </p>
  )
}
