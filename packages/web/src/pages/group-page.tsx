import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { withValueAt } from '@vedette/checks'
import { newCheckGroup, type CheckGroup } from '@vedette/wire'
import type { FormEvent } from 'react'
import { call, isNowhere } from '../api/client.ts'
import { groupQuery } from '../api/groups.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { useFocusOnFault } from '../form/focus-on-fault.ts'
import { GroupHead } from '../components/groups/group-head.tsx'
import { TriggerPanel } from '../components/triggers/trigger-panel.tsx'
import { FormProvider } from '../form/form-context.ts'
import { GroupSections } from '../form/group/group-sections.tsx'
import { refusedFields } from '../form/refused.ts'
import { RestoredNote } from '../form/restored-note.tsx'
import { withoutEmptyPairs } from '../form/start-of.ts'
import { useDraft } from '../form/use-draft.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { NotFoundPage } from './not-found-page.tsx'

type Draft = Record<string, unknown>

const pairLists = ['apiCheckDefaults.headers', 'apiCheckDefaults.queryParameters', 'environmentVariables']

const crumbs = [{ label: 'Groups', to: '/groups' }]

/** Makes a group, or changes the one in the address. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/shell/groups/$groupId' })
  return groupId === 'new' ? <NewGroup /> : <EditGroup id={Number(groupId)} />
}

function NewGroup() {
  return (
    <>
      <PagePlaceOf title="New group" crumbs={[...crumbs, { label: 'New group' }]} />
      <h1 className="mb-3 text-xl font-semibold tracking-tight">New group</h1>
      <GroupForm draft="new group" start={newCheckGroup(2)} id={undefined} />
    </>
  )
}

function EditGroup({ id }: { id: number }) {
  const group = useQuery({ ...groupQuery(id), refetchOnWindowFocus: false })
  if (group.isPending) return <Skeleton label="Reading the group" lines={8} />
  if (isNowhere(group.error)) return <NotFoundPage what="group" />
  if (group.data === undefined) return <Fault text={group.error.message} onRetry={() => void group.refetch()} />
  const { name } = group.data
  return (
    <>
      <PagePlaceOf title={`Edit ${name}`} crumbs={[...crumbs, { label: name }]} />
      <GroupHead group={group.data} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,56rem)_minmax(20rem,1fr)]">
        <GroupForm draft={`group ${id}`} start={group.data} id={id} />
        <TriggerPanel kind="check-groups" id={id} what="the checks of this group" />
      </div>
    </>
  )
}

function GroupForm({ draft, start, id }: { draft: string; start: Draft; id: number | undefined }) {
  const { definition, change, isRestored, startOver, forget } = useDraft(draft, start)
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () =>
      call<CheckGroup>(
        id === undefined ? 'POST' : 'PUT',
        id === undefined ? '/v2/check-groups?autoAssignAlerts=false' : `/v2/check-groups/${id}`,
        withoutEmptyPairs(definition, pairLists),
      ),
    onSuccess: async ({ name }) => {
      forget()
      toast(`Saved ${name}.`)
      await client.invalidateQueries()
      await navigate({ to: '/groups' })
    },
  })
  const form = useFocusOnFault(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <FormProvider
      value={{
        definition,
        change: (path, value) => change((current) => withValueAt(current, path, value)),
        isNew: id === undefined,
        faults: refusedFields(save.error),
      }}
    >
      {isRestored && <RestoredNote startOver={startOver} />}
      <form ref={form} onSubmit={submit} noValidate className="flex max-w-4xl min-w-0 flex-col gap-4">
        <GroupSections />
        <div className="sticky bottom-0 z-5 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-page px-4 py-2.5 max-md:bottom-14 md:-mx-6 md:px-6">
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {id === undefined ? 'Create group' : 'Save changes'}
          </Button>
          {save.isError && (
            <p role="alert" className="min-w-0 flex-1 basis-60 break-words text-fail">
              {save.error.message}
            </p>
          )}
        </div>
      </form>
    </FormProvider>
  )
}
