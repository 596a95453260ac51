import { useQuery } from '@tanstack/react-query'
import type { AlertChannel, BulkChange, CheckGroup } from '@vedette/wire'
import { Bell, BellOff, FastForward, FolderInput, Pause, Play, Send, Tag, Trash2, X } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { useChangeChecks } from '../../api/change-checks.ts'
import { groupsQuery } from '../../api/groups.ts'
import { checksText } from '../../api/checks-text.ts'
import { useRunChecks } from '../../api/sessions.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { channelName } from '../alerts/channel-name.ts'
import { MuteMenu } from './mute-menu.tsx'

interface Props {
  ids: readonly string[]
  onDone: () => void
}

/** What can be done to the chosen checks together. It stands at the bottom, so that no row moves when it comes. */
export function BulkBar({ ids, onDone }: Props) {
  const { act, isPending } = useChangeChecks()
  const [isTagging, setTagging] = useState(false)
  const what = checksText(ids.length)
  const go = (done: string, change: BulkChange) => {
    act({ ids, change, done: `${done} ${what}.` })
    onDone()
  }
  return (
    <div
      role="toolbar"
      aria-label="Chosen checks"
      className="fixed inset-x-3 bottom-20 z-10 mx-auto grid grid-cols-3 items-center gap-1 rounded-xl border border-line bg-surface p-1.5 shadow-floating md:bottom-6 md:flex md:w-fit md:max-w-full md:flex-wrap"
    >
      <span className="px-2 font-medium max-md:col-span-2">{what}</span>
      <span className="flex justify-end md:mr-1 md:border-r md:border-line md:pr-1">
        <IconButton label="Choose none" icon={<X className="size-4" />} onClick={onDone} />
      </span>
      <RunButton ids={ids} onDone={onDone} />
      <Button
        look="quiet"
        disabled={isPending}
        icon={<Pause className="size-4" />}
        onClick={() => go('Paused', { activated: false })}
      >
        Pause
      </Button>
      <Button
        look="quiet"
        disabled={isPending}
        icon={<Play className="size-4" />}
        onClick={() => go('Resumed', { activated: true })}
      >
        Resume
      </Button>
      <MuteMenu
        side="top"
        trigger={
          <Button look="quiet" icon={<BellOff className="size-4" />}>
            Mute
          </Button>
        }
        onMute={(until, words) =>
          go(`Muted ${words}:`, until === null ? { muted: true } : { mutedUntil: new Date(until).toISOString() })
        }
      />
      <Button
        look="quiet"
        disabled={isPending}
        icon={<Bell className="size-4" />}
        onClick={() => go('Unmuted', { muted: false })}
      >
        Unmute
      </Button>
      <Button look="quiet" icon={<Tag className="size-4" />} onClick={() => setTagging(true)}>
        Tag
      </Button>
      <MoveMenu
        onChoose={(group) =>
          go(group ? `Moved to ${group.name}:` : 'Taken out of their groups:', { groupId: group?.id ?? null })
        }
      />
      <SubscribeMenu onChoose={(channel) => go(`${channelName(channel)} hears of`, { addChannels: [channel.id] })} />
      <Button
        look="quiet"
        className="!text-fail"
        disabled={isPending}
        icon={<Trash2 className="size-4" />}
        onClick={() => go('Deleted', { delete: true })}
      >
        Delete
      </Button>
      <TagDialog
        isOpen={isTagging}
        onClose={() => setTagging(false)}
        onTags={(tags) => go(`Tagged ${tags.join(', ')}:`, { addTags: tags })}
      />
    </div>
  )
}

function MoveMenu({ onChoose }: { onChoose: (group: CheckGroup | null) => void }) {
  const groups = useQuery(groupsQuery)
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" icon={<FolderInput className="size-4" />}>
          Move
        </Button>
      }
    >
      {groups.data?.length === 0 && <p className="px-2.5 py-1 text-ink-soft">There is no group yet.</p>}
      {groups.data?.map((group) => (
        <MenuItem key={group.id} onSelect={() => onChoose(group)}>
          {group.name}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => onChoose(null)}>Out of any group</MenuItem>
    </Menu>
  )
}

function RunButton({ ids, onDone }: Props) {
  const run = useRunChecks()
  const go = () => {
    run.mutate(ids)
    onDone()
  }
  return (
    <Button look="quiet" disabled={run.isPending} icon={<FastForward className="size-4" />} onClick={go}>
      Run now
    </Button>
  )
}

function SubscribeMenu({ onChoose }: { onChoose: (channel: AlertChannel) => void }) {
  const channels = useQuery(channelsQuery)
  return (
    <Menu
      side="top"
      trigger={
        <Button look="quiet" icon={<Send className="size-4" />}>
          Subscribe
        </Button>
      }
    >
      {channels.data?.items.length === 0 && <p className="px-2.5 py-1 text-ink-soft">There is no channel yet.</p>}
      {channels.data?.items.map((channel) => (
        <MenuItem key={channel.id} onSelect={() => onChoose(channel)}>
          {channelName(channel)}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface TagProps {
  isOpen: boolean
  onClose: () => void
  onTags: (tags: string[]) => void
}

function TagDialog({ isOpen, onClose, onTags }: TagProps) {
  const [text, setText] = useState('')
  const tags = text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (tags.length === 0) return
    onClose()
    onTags(tags)
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add tags">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Tags" help="Separated by commas.">
          {(control) => (
            <input
              {...control}
              autoFocus
              className={inputLook}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" disabled={tags.length === 0}>
          Add
        </Button>
      </form>
    </Dialog>
  )
}
