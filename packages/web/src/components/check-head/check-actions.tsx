import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { checkTypeOf } from '@vedette/checks'
import type { OverviewRow, StartedRun } from '@vedette/wire'
import { Bell, BellOff, Copy, Ellipsis, Link2, Pause, Pencil, Play, Trash2, UserCheck } from 'lucide-react'
import { useChangeChecks } from '../../api/change-checks.ts'
import { call } from '../../api/client.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { Menu, MenuDivider, MenuItem } from '../../ui/menu.tsx'
import { toast, toastNext, toastUndo } from '../../ui/toast.ts'
import { MuteMenu } from '../checks/mute-menu.tsx'
import { SendPing } from '../heartbeat/send-ping.tsx'
import { waitLabel } from '../checks/wait-label.ts'

const iconSize = 'size-4'

/** The actions on a check. Each keeps its place whatever the state of the check is; what came of them is told in a toast. */
export function CheckActions({ item }: { item: OverviewRow }) {
  const isPassive = checkTypeOf(item.checkType)?.mode.kind === 'passive'
  return (
    <div className="flex flex-wrap items-center gap-1.5 md:shrink-0">
      {isPassive ? <SendPing item={item} /> : <RunNow item={item} />}
      <Acknowledge item={item} />
      <Mute item={item} />
      <Link to="/checks/$checkId/edit" params={{ checkId: item.checkId }} className={buttonLook()}>
        <Pencil aria-hidden="true" className={iconSize} />
        Edit
      </Link>
      <MoreMenu item={item} />
    </div>
  )
}

function RunNow({ item }: { item: OverviewRow }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const run = useMutation({
    mutationFn: () => call<StartedRun>('POST', `/v1/checks/${item.checkId}/run`, {}),
    onSuccess: ({ checkSessionId: sessionId }) =>
      toastNext(
        'A run was started; its result appears by itself.',
        'Follow',
        () => void navigate({ to: '/sessions/$sessionId', params: { sessionId } }),
      ),
    onError: (error) => toast(error.message, 'fault'),
    // Not awaited: the button can be pressed again while the list is read.
    onSettled: () => void client.invalidateQueries({ queryKey: ['results', item.checkId] }),
  })
  return (
    <Button
      look="primary"
      className="w-28"
      icon={<Play aria-hidden="true" className={iconSize} />}
      isBusy={run.isPending}
      disabled={!item.activated || waitLabel(item) !== undefined}
      onClick={() => run.mutate()}
    >
      Run now
    </Button>
  )
}

/** "I'm on it": reminders stop until the check is well again. */
function Acknowledge({ item }: { item: OverviewRow }) {
  const client = useQueryClient()
  const path = `/v1/checks/${item.checkId}/acknowledge`
  const isMine = item.acknowledged !== null
  const { mutate, isPending } = useMutation({
    mutationFn: (method: 'POST' | 'DELETE') => call(method, path, method === 'POST' ? {} : undefined),
    onSuccess: async (_answer, method) => {
      if (method === 'POST') toastUndo('You are on it: reminders stop until it is well again.', () => mutate('DELETE'))
      else toast('Nobody is on it now: reminders go on.')
      await client.invalidateQueries({ queryKey: ['overview'] })
      await client.invalidateQueries({ queryKey: ['episodes', item.checkId] })
    },
    onError: (error) => toast(error.message, 'fault'),
  })
  return (
    <Button
      className="w-32"
      aria-pressed={isMine}
      isBusy={isPending}
      disabled={!isMine && item.state !== 'failing' && item.state !== 'degraded'}
      icon={<UserCheck aria-hidden="true" className={iconSize} />}
      onClick={() => mutate(isMine ? 'DELETE' : 'POST')}
    >
      {isMine ? 'Let go' : 'I’m on it'}
    </Button>
  )
}

function Mute({ item }: { item: OverviewRow }) {
  const { act, isPending } = useChangeChecks()
  const ids = [item.checkId]
  if (item.muted)
    return (
      <Button
        className="w-26"
        isBusy={isPending}
        icon={<Bell aria-hidden="true" className={iconSize} />}
        onClick={() => act({ ids, change: { muted: false }, done: `Unmuted ${item.name}.` })}
      >
        Unmute
      </Button>
    )
  return (
    <MuteMenu
      trigger={
        <Button className="w-26" isBusy={isPending} icon={<BellOff aria-hidden="true" className={iconSize} />}>
          Mute
        </Button>
      }
      onMute={(until, words) =>
        act({
          ids,
          change: until === null ? { muted: true } : { mutedUntil: new Date(until).toISOString() },
          done: `Muted ${item.name} ${words}.`,
        })
      }
    />
  )
}

function MoreMenu({ item }: { item: OverviewRow }) {
  const navigate = useNavigate()
  const { act } = useChangeChecks()
  const ids = [item.checkId]
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text)
    toast(`Copied the ${what}.`)
  }
  const toggle = () =>
    act({
      ids,
      change: { activated: !item.activated },
      done: item.activated ? `Paused ${item.name}.` : `Resumed ${item.name}.`,
    })
  const remove = async () => {
    act({ ids, change: { delete: true }, done: `Deleted ${item.name}.` })
    await navigate({ to: '/' })
  }
  return (
    <Menu
      trigger={
        <button type="button" aria-label="More actions" className={`${iconButtonLook} border border-line-strong/60`}>
          <Ellipsis aria-hidden="true" className={iconSize} />
        </button>
      }
    >
      <MenuItem icon={item.activated ? <Pause /> : <Play />} onSelect={toggle}>
        {item.activated ? 'Pause' : 'Resume'}
      </MenuItem>
      <MenuItem
        icon={<Copy />}
        onSelect={() =>
          void navigate({
            to: '/checks/new/$path',
            params: { path: item.checkType.toLowerCase() },
            search: { clone: item.checkId },
          })
        }
      >
        Clone
      </MenuItem>
      <MenuItem icon={<Link2 />} onSelect={() => void copy(location.href, 'link')}>
        Copy link
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => void copy(item.checkId, 'id')}>
        Copy id
      </MenuItem>
      <MenuDivider />
      <MenuItem isDanger icon={<Trash2 />} onSelect={() => void remove()}>
        Delete
      </MenuItem>
    </Menu>
  )
}
