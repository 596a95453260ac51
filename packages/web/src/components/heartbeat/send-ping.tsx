import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { checkTypeOf, valueAt } from '@vedette/checks'
import type { OverviewRow } from '@vedette/wire'
import { HeartPulse } from 'lucide-react'
import { sendEvent } from '../../api/heartbeat.ts'
import { checkQuery, type ReadCheck } from '../../api/read-check.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'

/** Where events of the check are sent to; undefined for types that run. */
export function eventAddress(check: ReadCheck | undefined): string | undefined {
  const mode = check && checkTypeOf(check.checkType)?.mode
  const address = mode?.kind === 'passive' ? valueAt(check, mode.events.addressPath) : undefined
  return typeof address === 'string' ? address : undefined
}

/** Does by hand what the job does when it has finished. */
export function SendPing({ item }: { item: OverviewRow }) {
  const client = useQueryClient()
  const address = eventAddress(useQuery(checkQuery(item.checkId)).data)
  const ping = useMutation({
    mutationFn: sendEvent,
    onSuccess: ({ stored, reason }) =>
      stored ? toast('A ping was sent; it appears by itself.') : toast(reason ?? 'The ping did not count.', 'fault'),
    onError: (error) => toast(error.message, 'fault'),
    onSettled: () => void client.invalidateQueries({ queryKey: ['results', item.checkId] }),
  })
  return (
    <Button
      look="primary"
      className="w-32"
      icon={<HeartPulse aria-hidden="true" className="size-4" />}
      isBusy={ping.isPending}
      disabled={!item.activated || address === undefined}
      onClick={() => address !== undefined && ping.mutate(address)}
    >
      Send a ping
    </Button>
  )
}
