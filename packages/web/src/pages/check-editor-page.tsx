import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router'
import {
  checkTypes,
  defaultsOf,
  hasCommonField,
  withValueAt,
  type AnyCheckType,
  type CheckResult,
} from '@vedette/checks'
import type { Check } from '@vedette/wire'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { ApiFailure, call } from '../api/client.ts'
import { Button, buttonLook } from '../components/basics/button.tsx'
import { PageTitle } from '../components/basics/page-title.tsx'
import { Panel } from '../components/basics/panel.tsx'
import { ResultStory } from '../components/results/result-story.tsx'
import { AlertSection } from '../form/alert-section.tsx'
import { NameSection } from '../form/name-section.tsx'
import { ScheduleSection } from '../form/schedule-section.tsx'
import { FieldControl, fieldGrid } from '../form/field-control.tsx'
import { useFocusOnFault } from '../form/focus-on-fault.ts'
import { FormProvider } from '../form/form-context.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** Creates a check of the type in the address. */
export function NewCheckPage() {
  const { path } = useParams({ from: '/shell/checks/new/$path' })
  const type = checkTypes.find((each) => each.path === path)
  if (!type) return <NotFoundPage />
  return (
    <>
      <PageTitle text={`New ${type.title} check`} />
      <h1 className="mb-2 text-2xl font-bold">New {type.title} check</h1>
      <nav aria-label="Check type" className="mb-4 flex flex-wrap gap-2">
        {checkTypes.map((each) => (
          <Link
            key={each.type}
            to="/checks/new/$path"
            params={{ path: each.path }}
            className={`${buttonLook()} aria-[current=page]:border-accent aria-[current=page]:bg-accent-wash`}
            aria-current={each === type ? 'page' : undefined}
          >
            {each.title}
          </Link>
        ))}
      </nav>
      <CheckForm key={type.type} type={type} start={startOf(type)} id={undefined} />
    </>
  )
}

export function EditCheckPage() {
  const { checkId } = useParams({ from: '/shell/checks/$checkId/edit' })
  const check = useQuery({
    queryKey: ['check', checkId],
    queryFn: () => call<Check>('GET', `/v1/checks/${checkId}`),
    refetchOnWindowFocus: false,
  })
  if (check.isPending) return <p className="text-ink-soft">Reading the check…</p>
  if (check.isError && !check.data)
    return (
      <p role="alert" className="text-fail">
        {check.error.message}
      </p>
    )
  const type = checkTypes.find((each) => each.type === check.data.checkType)
  if (!type) return <NotFoundPage />
  return (
    <>
      <PageTitle text={`Edit ${check.data.name}`} />
      <h1 className="mb-4 text-2xl font-bold break-words">Edit {check.data.name}</h1>
      <CheckForm key={checkId} type={type} start={check.data} id={checkId} />
    </>
  )
}

function startOf(type: AnyCheckType): Record<string, unknown> {
  const filled = type.complete({ ...defaultsOf(type), name: '', ...type.formStart })
  return hasCommonField(type, 'frequency') ? { ...filled, frequency: 1 } : filled
}

interface FormProps {
  type: AnyCheckType
  start: Record<string, unknown>
  id: string | undefined
}

function CheckForm({ type, start, id }: FormProps) {
  const [first] = useState(start)
  const [definition, setDefinition] = useState(first)
  const { save, dryRun } = useCheckCalls(type, definition, id)
  const failure = save.error ?? dryRun.error
  const form = useFocusOnFault(failure)
  useBlocker({
    shouldBlockFn: () => !confirm('Leave without saving? What you changed here is lost.'),
    enableBeforeUnload: true,
    disabled: definition === first || save.isSuccess,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    dryRun.reset()
    save.mutate()
  }
  return (
    <FormProvider
      value={{
        type,
        definition,
        change: (path, value) => setDefinition((current) => withValueAt(current, path, value)),
        isNew: id === undefined,
        faults: failure instanceof ApiFailure ? failure.keys : [],
        complaint: failure?.message,
      }}
    >
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <NameSection />
        {type.form.map((section) => (
          <Panel key={section.title} title={section.title}>
            <div className={fieldGrid}>
              {section.fields.map((field) => (
                <FieldControl key={field.path} field={field} />
              ))}
            </div>
          </Panel>
        ))}
        {(hasCommonField(type, 'frequency') || hasCommonField(type, 'locations')) && <ScheduleSection />}
        <AlertSection />
        <div className="sticky bottom-0 -mx-4 flex flex-wrap items-center gap-3 border-t border-line bg-page px-4 py-3 md:-mx-8 md:px-8">
          <Button type="submit" look="primary" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : id === undefined ? 'Create check' : 'Save changes'}
          </Button>
          {type.dryRun && (
            <Button
              onClick={() => {
                save.reset()
                dryRun.mutate()
              }}
              disabled={dryRun.isPending}
            >
              {dryRun.isPending ? 'Running…' : 'Run now'}
            </Button>
          )}
          {failure && (
            <p role="alert" className="min-w-0 break-words text-fail">
              {failure.message}
            </p>
          )}
        </div>
      </form>
      {dryRun.data && <DryRunResult key={dryRun.data.id} result={dryRun.data} />}
    </FormProvider>
  )
}

function useCheckCalls(type: AnyCheckType, definition: Record<string, unknown>, id: string | undefined) {
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
      void client.invalidateQueries()
      return navigate({ to: '/checks/$checkId', params: { checkId: check.id }, ignoreBlocker: true })
    },
  })
  const dryRun = useMutation({
    mutationFn: () => call<CheckResult>('POST', `/v1/checks/${type.path}/dry-run`, definition),
  })
  return { save, dryRun }
}

/** The result of a dry run. It scrolls into view. */
function DryRunResult({ result }: { result: CheckResult }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [])
  return (
    <section ref={section} tabIndex={-1} aria-label="Dry run" className="mt-6 scroll-mt-4 outline-none">
      <h2 className="mb-3 text-xl font-bold">Dry run (nothing was saved)</h2>
      <ResultStory result={result} />
    </section>
  )
}
