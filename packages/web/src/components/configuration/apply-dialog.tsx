import type { PlannedResource } from '@vedette/wire'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { countOf, countsText, kindText } from './plan-view.tsx'

const mostNamed = 20

interface Props {
  plan: readonly PlannedResource[]
  onApply: () => void
  onClose: () => void
}

/** Asked first: what an import deletes does not come back by itself. */
export function ApplyDialog({ plan, onApply, onClose }: Props) {
  const deleted = plan.filter(({ action }) => action === 'delete')
  const count = countOf(plan, 'delete')
  return (
    <Dialog isOpen onClose={onClose} title="Apply the plan?">
      <p className="mb-3">{countsText(plan, false)} All of it is done, or nothing.</p>
      {count > 0 && (
        <div className="mb-3">
          <p className="font-medium text-fail">
            {count === 1 ? 'One is deleted' : `${count} are deleted`}, with the history that belongs to it:
          </p>
          <ul aria-label="Deleted" className="mt-1 list-disc pl-5">
            {deleted.slice(0, mostNamed).map(({ kind, name }) => (
              <li key={`${kind} ${name}`} className="wrap-anywhere">
                {kindText(kind)} {name}
              </li>
            ))}
            {count > mostNamed && <li>and {count - mostNamed} more</li>}
          </ul>
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={count > 0 ? 'danger' : 'primary'} onClick={onApply}>
          {count > 0 ? `Apply and delete ${count}` : 'Apply'}
        </Button>
      </div>
    </Dialog>
  )
}
