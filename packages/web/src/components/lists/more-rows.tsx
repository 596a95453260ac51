import type { Paged } from '../../api/use-paged.ts'
import { Button } from '../../ui/button.tsx'

/** What of a list is shown, and a way to show more of it. Nothing while all of it is. */
export function MoreRows({
  list,
}: {
  list: Pick<Paged<unknown>, 'items' | 'total' | 'hasMore' | 'isReadingMore' | 'readMore'>
}) {
  const { items, total, hasMore, isReadingMore, readMore } = list
  if (!hasMore) return null
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-2 text-sm text-ink-soft">
      <Button isBusy={isReadingMore} onClick={readMore}>
        Show more
      </Button>
      {items.length} of {total} are shown.
    </div>
  )
}
