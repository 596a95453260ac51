import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkChange, BulkOutcome, BulkUndoOutcome } from '@vedette/wire'
import { checksText } from './checks-text.ts'
import { toast, toastUndo } from '../ui/toast.ts'
import { call } from './client.ts'

/** What is done to checks, with the words for it. */
export interface ChecksAct {
  ids: readonly string[]
  change: BulkChange
  /** What was done, for the message: "Paused 3 checks". */
  done: string
}

/** Changes checks at once and offers to take it back, as the server says that it is. Refusals are told one by one. */
export function useChangeChecks() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['overview'] })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ ids, change }: ChecksAct) => call<BulkOutcome>('POST', '/v1/checks/bulk', { ids, change }),
    onSuccess: async ({ refused, undoToken }, { done }) => {
      if (undoToken !== null) toastUndo(done, () => void takeBack(undoToken))
      else if (refused.length === 0) toast('Nothing had to be changed.')
      for (const { message } of refused.slice(0, 3)) toast(message, 'fault')
      if (refused.length > 3) toast(`${refused.length - 3} more checks could not be changed.`, 'fault')
      await refresh()
    },
    onError: (error) => toast(error.message, 'fault'),
  })

  async function takeBack(token: string): Promise<void> {
    try {
      const { refused } = await call<BulkUndoOutcome>('POST', '/v1/checks/bulk/undo', { token })
      const reasons = [...new Set(refused.map(({ message }) => message))]
      if (refused.length === 0) toast('Taken back.')
      else toast(`Not taken back for ${checksText(refused.length)}: ${reasons.slice(0, 3).join(' ')}`, 'fault')
    } catch (error) {
      toast(`Not taken back: ${error instanceof Error ? error.message : String(error)}`, 'fault')
    }
    await refresh()
  }

  return { act: (what: ChecksAct) => mutate(what), isPending }
}
