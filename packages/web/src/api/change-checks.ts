import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkChange, BulkOutcome } from '@vedette/wire'
import { checksText } from './checks-text.ts'
import { serverNow } from '../components/time/time-text.tsx'
import { toast, toastUndo } from '../ui/toast.ts'
import { call } from './client.ts'
import { takeBack } from './take-back.ts'

/** What is done to checks, with the words for it. */
export interface ChecksAct {
  ids: readonly string[]
  change: BulkChange
  /** What was done, for the message: "Paused 3 checks". */
  done: string
}

const change = (what: Pick<ChecksAct, 'ids' | 'change'>) => call<BulkOutcome>('POST', '/v1/checks/bulk', what)

/** Changes checks at once and offers to take it back, as the server says that it is. Refusals are told one by one. */
export function useChangeChecks() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['overview'] })
  const { mutate, isPending } = useMutation({
    mutationFn: (act: ChecksAct) => change({ ids: act.ids, change: act.change }),
    onSuccess: async ({ changed, refused, undo }, { done }) => {
      if (changed.length > 0) toastUndo(done, () => void undone(undo))
      else if (refused.length === 0) toast('Nothing had to be changed.')
      for (const { message } of refused.slice(0, 3)) toast(message, 'fault')
      if (refused.length > 3) toast(`${refused.length - 3} more checks could not be changed.`, 'fault')
      await refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })

  async function undone(undo: BulkOutcome['undo']): Promise<void> {
    const { count, reasons } = await takeBack(undo, change, serverNow())
    if (count === 0) toast('Taken back.')
    else toast(`Not taken back for ${checksText(count)}: ${reasons.slice(0, 3).join(' ')}`, 'fault')
    await refresh()
  }

  return { act: (what: ChecksAct) => mutate(what), isPending }
}
