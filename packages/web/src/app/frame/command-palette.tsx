import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Overview } from '@vedette/wire'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { call, withQuery } from '../../api/client.ts'
import { savedViewsQuery } from '../../api/saved-views.ts'
import { searchOf } from '../checks-search.ts'
import { StateIcon } from '../../components/checks/state-mark.tsx'
import { useDebounced } from '../../ui/hooks/use-debounced.ts'
import { fixedCommands, matching, type Command } from './commands.ts'

const shownChecks = 8
const typingMs = 120

interface Group {
  value: string
  items: Command[]
}

/** Goes to any check by its name, to any page, and does what needs no page. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const groups = useGroups(typed)
  const done = (command: Command) => {
    onClose()
    command.act()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-black/40" />
        <Dialog.Popup
          aria-label="Go to"
          className="fixed top-[10vh] left-1/2 z-20 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl border border-line bg-surface text-ink shadow-floating outline-none"
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={(command: Command) => command.label}
            autoHighlight="always"
          >
            <div className="flex items-center gap-2 border-b border-line px-4">
              <Search aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
              <Autocomplete.Input
                aria-label="Go to a check, a page or an action"
                placeholder="Name of a check, a page, an action"
                className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-ink-soft"
              />
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-ink-soft empty:hidden">
              Nothing of that name.
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto p-1.5 empty:hidden">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-ink-soft">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={() => done(command)}
                        className="flex min-h-control items-center gap-2.5 rounded-md px-2.5 select-none data-highlighted:bg-sunken"
                      >
                        {command.state !== undefined && <StateIcon state={command.state} />}
                        <span className="min-w-0 truncate">{command.label}</span>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useGroups(typed: string): Group[] {
  const navigate = useNavigate()
  const search = useDebounced(typed.trim(), typingMs)
  const checks = useQuery({
    queryKey: ['overview', 'named', search],
    queryFn: () =>
      call<Pick<Overview, 'items'>>('GET', withQuery('/v1/overview', { search, limit: shownChecks, with: 'items' })),
    placeholderData: keepPreviousData,
  })
  const views = useQuery(savedViewsQuery)
  const fixed = useMemo(() => fixedCommands(navigate), [navigate])
  const found = (checks.data?.items ?? []).map(({ checkId, name, state }) => ({
    id: checkId,
    label: name,
    state,
    act: () => void navigate({ to: '/checks/$checkId', params: { checkId } }),
  }))
  const saved = (views.data ?? []).map(({ id, name, query }) => ({
    id: `view:${id}`,
    label: name,
    act: () => void navigate({ to: '/', search: searchOf(query) }),
  }))
  // While the answer to what is typed is awaited, what the last one found and does not fit must not be chosen by Enter.
  const isSettled = search === typed.trim() && !checks.isPlaceholderData
  return [
    { value: 'Checks', items: isSettled ? found : matching(found, typed) },
    { value: 'Views', items: matching(saved, typed) },
    { value: 'Pages', items: matching(fixed.pages, typed) },
    { value: 'Actions', items: typed === '' ? fixed.actions.slice(0, 2) : matching(fixed.actions, typed) },
  ].filter(({ items }) => items.length > 0)
}
