import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { checkTypes, hasCommonField, withValueAt, type AnyCheckType, type CheckResult } from '@vedette/checks'
import type { Check, FieldProblem } from '@vedette/wire'
import { Play } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { call, isNowhere } from '../api/client.ts'
import { checkQuery } from '../api/read-check.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { TypeLinks } from '../components/checks/type-links.tsx'
import { AlertSection } from '../form/alert-section.tsx'
import { DryRun } from '../form/dry-run.tsx'
import { faultsOf, faultsSentence, ofTouched } from '../form/faults.ts'
import { SectionPanel } from '../form/field-control.tsx'
import { useFocusOnFault } from '../form/focus-on-fault.ts'
import { FormProvider } from '../form/form-context.ts'
import { NoRunnerNote } from '../form/no-runner-note.tsx'
import { NameSection } from '../form/name-section.tsx'
import { ScheduleSection } from '../form/schedule-section.tsx'
import { PasteBox } from '../form/paste-box.tsx'
import { refusedFields } from '../form/refused.ts'
import { RestoredNote } from '../form/restored-note.tsx'
import { draftOf, startOf, withoutEmptyRows } from '../form/start-of.ts'
import { useDraft } from '../form/use-draft.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** Creates a check of the type in the address, perhaps as a copy of another one. */
export function NewCheckPage() {
  const { path } = useParams({ from: '/shell/checks/new/$path' })
  const { clone } = useSearch({ from: '/shell/checks/new/$path' })
  const original = useQuery({ ...checkQuery(clone ?? ''), enabled: clone !== undefined })
  const type = checkTypes.find((each) => each.path === path)
  if (!type) return <NotFoundPage what="type of check" />
  if (original.isLoading) return <Skeleton label="Reading the check" lines={8} />
  if (isNowhere(original.error)) return <NotFoundPage what="check" />
  if (original.isError) return <Fault text={original.error.message} onRetry={() => void original.refetch()} />
  const name = draftOf(type, clone)
  return (
    <>
      <PagePlaceOf title={`New ${type.title} check`} crumbs={[{ label: 'Checks', to: '/' }, { label: 'New check' }]} />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-xl font-semibold tracking-tight">New {type.title} check</h1>
        <nav aria-label="Check type" className="flex flex-wrap gap-x-4 gap-y-1">
          <TypeLinks
            className="flex flex-wrap gap-1"
            current={type}
            lookOf={() => buttonLook('quiet')}
            textOf={({ title }) => title}
          />
        </nav>
      </div>
      <CheckForm key={name} draft={name} type={type} start={startOf(type, original.data)} id={undefined} />
    </>
  )
}

export function EditCheckPage() {
  const { checkId } = useParams({ from: '/shell/checks/$checkId/edit' })
  const check = useQuery({ ...checkQuery(checkId), refetchOnWindowFocus: false })
  if (check.isPending) return <Skeleton label="Reading the check" lines={8} />
  if (isNowhere(check.error)) return <NotFoundPage what="check" />
  if (check.data === undefined) return <Fault text={check.error?.message ?? ''} onRetry={() => void check.refetch()} />
  const type = checkTypes.find((each) => each.type === check.data.checkType)
  if (!type) return <NotFoundPage />
  const { name } = check.data
  return (
    <>
      <PagePlaceOf
        title={`Edit ${name}`}
        crumbs={[{ label: 'Checks', to: '/' }, { label: name, to: `/checks/${checkId}` }, { label: 'Edit' }]}
      />
      <h1 className="mb-3 text-xl font-semibold tracking-tight break-words">Edit {name}</h1>
      <CheckForm key={checkId} draft={checkId} type={type} start={check.data} id={checkId} />
    </>
  )
}

interface FormProps {
  type: AnyCheckType
  /** Name under which what is typed is kept. */
  draft: string
  start: Record<string, unknown>
  id: string | undefined
}

function CheckForm({ type, draft, start, id }: FormProps) {
  const { definition, change, isRestored, startOver, forget } = useDraft(draft, start)
  const sent = withoutEmptyRows(type, definition)
  const { save, dryRun } = useCheckCalls(type, sent, { id, onSaved: forget })
  const failure = save.error ?? dryRun.error
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [found, setFound] = useState<readonly FieldProblem[]>()
  const form = useFocusOnFault(failure ?? found)
  const faults = faultsOf(type, sent, id === undefined)
  /** Says all that is wrong at once, before anything is sent. */
  const isWhole = () => {
    setFound(faults.length === 0 ? undefined : faults)
    return faults.length === 0
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    dryRun.reset()
    save.reset()
    if (isWhole()) save.mutate()
  }
  const tryOut = () => {
    save.reset()
    dryRun.reset()
    if (isWhole()) dryRun.mutate()
  }
  return (
    <FormProvider
      value={{
        type,
        definition,
        change: (path, value) => change((current) => withValueAt(current, path, value)),
        isNew: id === undefined,
        faults: [...(found === undefined ? ofTouched(faults, touched) : faults), ...refusedFields(failure)],
        touch: (path) => setTouched((before) => (before.has(path) ? before : new Set([...before, path]))),
      }}
    >
      <BeforeForm type={type} isNew={id === undefined} onFill={change} />
      {isRestored && <RestoredNote startOver={startOver} />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <form ref={form} onSubmit={submit} noValidate className="flex min-w-0 flex-col gap-4">
          <NameSection />
          {type.form.map((section) => (
            <SectionPanel key={section.title} section={section} />
          ))}
          {(hasCommonField(type, 'frequency') || hasCommonField(type, 'locations')) && <ScheduleSection />}
          <AlertSection />
          <FormBar
            isNew={id === undefined}
            isSaving={save.isPending}
            complaint={failure?.message ?? (found && faults.length > 0 ? faultsSentence(type, faults) : undefined)}
            dryRun={type.dryRun ? { isRunning: dryRun.isPending, start: tryOut } : undefined}
          />
        </form>
        {type.dryRun && <DryRun result={dryRun.data} isRunning={dryRun.isPending} />}
      </div>
    </FormProvider>
  )
}

type FillIn = Parameters<typeof PasteBox>[0]['onFill']

/** What is said of the type, and the box that fills the form of a new check. */
function BeforeForm({ type, isNew, onFill }: { type: AnyCheckType; isNew: boolean; onFill: FillIn }) {
  return (
    <>
      {type.awaitsRunner && <NoRunnerNote title={type.title} />}
      {isNew && type.fromText && <PasteBox type={type} onFill={onFill} />}
    </>
  )
}

interface BarProps {
  isNew: boolean
  isSaving: boolean
  complaint: string | undefined
  /** Left out by types that cannot be tried. */
  dryRun: { isRunning: boolean; start: () => void } | undefined
}

/** What can be done with the form, always in sight, and what is wrong with it. */
function FormBar({ isNew, isSaving, complaint, dryRun }: BarProps) {
  return (
    <div className="sticky bottom-0 z-5 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-page px-4 py-2.5 max-md:bottom-14 md:-mx-6 md:px-6 xl:mx-0 xl:px-0">
      <Button type="submit" look="primary" isBusy={isSaving}>
        {isNew ? 'Create check' : 'Save changes'}
      </Button>
      {dryRun && (
        <Button isBusy={dryRun.isRunning} icon={<Play aria-hidden="true" className="size-4" />} onClick={dryRun.start}>
          Try it
        </Button>
      )}
      {complaint !== undefined && (
        <p role="alert" className="min-w-0 flex-1 basis-60 break-words text-fail">
          {complaint}
        </p>
      )}
    </div>
  )
}

interface Saving {
  id: string | undefined
  onSaved: () => void
}

function useCheckCalls(type: AnyCheckType, definition: Record<string, unknown>, { id, onSaved }: Saving) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () =>
      call<Check>(
        id === undefined ? 'POST' : 'PUT',
        `/v1/checks/${type.path}${id === undefined ? '' : `/${id}`}`,
        definition,
      ),
    onSuccess: (check) => {
      onSaved()
      // The server cannot tell a new mute from one that ended while the form was open.
      if (definition.muted === true && !check.muted)
        toast('Saved, and not muted: its mute for a while is over. Mute it here if nobody is to be notified.', 'fault')
      void client.invalidateQueries()
      return navigate({ to: '/checks/$checkId', params: { checkId: check.id } })
    },
  })
  const dryRun = useMutation({
    mutationFn: () => call<CheckResult>('POST', `/v1/checks/${type.path}/dry-run`, definition),
  })
  return { save, dryRun }
}
