import { mostImportedBytes } from '@vedette/wire'
import { Upload } from 'lucide-react'
import { useMemo, useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { RestoredNote } from '../../form/restored-note.tsx'
import { useDraft } from '../../form/use-draft.ts'
import { Button } from '../../ui/button.tsx'
import { Tick } from '../../ui/checkbox.tsx'
import { Field, inputLook } from '../../ui/field.tsx'
import { useDebounced } from '../../ui/hooks/use-debounced.ts'
import { Fault, Panel } from '../../ui/panel.tsx'
import { FileTabs, goToLine, lengthOf, pasted } from './file-tabs.tsx'
import { OutcomePanel } from './outcome-panel.tsx'
import { readFiles, type Place, type SourceFile } from './read-files.ts'
import { useImport } from './use-import.ts'

const start: { files: SourceFile[]; remove: boolean } = { files: [{ name: pasted, text: '' }], remove: false }

/** Files are chosen or pasted, planned, looked at and applied. */
export function ImportPanels() {
  const draft = useDraft('configuration files', start)
  const { files, remove } = draft.definition as typeof start
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [open, setOpen] = useState(pasted)
  const areas = useRef(new Map<string, HTMLTextAreaElement>())
  const { outcome, isPending, isApplying, fault, take, forget } = useImport(draft.forget)
  const change = (part: Partial<typeof start>) => {
    forget()
    draft.change((current) => ({ ...current, ...part }))
  }
  const startOver = () => {
    forget()
    setOpen(pasted)
    draft.startOver()
  }
  const input = { files, remove, values }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take({ input })
  }
  const goTo = ({ file, line }: Place) => {
    // A text that is not shown cannot get the focus.
    flushSync(() => setOpen(file))
    const area = areas.current.get(file)
    if (area) goToLine(area, line)
  }
  return (
    <>
      {draft.isRestored && <RestoredNote startOver={startOver} />}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Panel title="Import">
          <form onSubmit={submit} className="flex min-w-0 flex-col gap-3">
            <ChooseFiles
              files={files}
              onFiles={(next, name) => {
                change({ files: next })
                setOpen(name)
              }}
            />
            <FileTabs
              files={files}
              onFiles={(next) => change({ files: next })}
              problems={outcome?.step === 'refused' ? outcome.problems : []}
              open={open}
              onOpen={setOpen}
              areas={areas}
            />
            <SecretValues
              files={files}
              values={values}
              set={(next) => {
                forget()
                setValues(next)
              }}
            />
            <Tick
              label="Delete what is not in the files"
              help="Of the kinds that they have: without “checks” no check is deleted. The plan says what."
              checked={remove}
              onChange={(on) => change({ remove: on })}
            />
            <div>
              <Button type="submit" look="primary" isBusy={isPending && !isApplying}>
                Make the plan
              </Button>
            </div>
          </form>
        </Panel>
        <OutcomePanel
          outcome={outcome}
          fault={fault}
          isApplying={isApplying}
          onApply={(agreed) => take({ input, agreed })}
          onGo={goTo}
        />
      </div>
    </>
  )
}

interface ChooseProps {
  files: readonly SourceFile[]
  /** With the name of the file to show. */
  onFiles: (files: SourceFile[], name: string) => void
}

function ChooseFiles({ files, onFiles }: ChooseProps) {
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const add = async (chosen: readonly File[]) => {
    const added = await Promise.all(chosen.map(async (file) => ({ name: file.name, text: await file.text() })))
    const names = new Set(added.map(({ name }) => name))
    // A file that is chosen again takes the place of what it was.
    const next = [...files.filter(({ name }) => !names.has(name)), ...added]
    const isTooMuch = lengthOf(next) > mostImportedBytes
    setFault(
      isTooMuch ? 'These files are more than 2 MiB together, which is the most that one import takes.' : undefined,
    )
    const [first] = added
    if (first !== undefined && !isTooMuch) onFiles(next, first.name)
  }
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept=".yaml,.yml,.json"
          onChange={({ target }) => {
            void add([...(target.files ?? [])])
            // The same file can be chosen again after it was changed.
            target.value = ''
          }}
        />
        <Button icon={<Upload aria-hidden="true" className="size-4" />} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-sm text-ink-soft">
          Or paste below. All files are one document: a list may be spread over several.
        </p>
      </div>
      {fault !== undefined && <Fault text={fault} />}
    </div>
  )
}

interface SecretsProps {
  files: readonly SourceFile[]
  values: Readonly<Record<string, string>>
  set: (values: Record<string, string>) => void
}

/** Values of the references in the files. They are kept nowhere. */
function SecretValues({ files, values, set }: SecretsProps) {
  const settled = useDebounced(files, 300)
  const { references } = useMemo(() => readFiles(settled), [settled])
  if (references.length === 0) return null
  return (
    <fieldset>
      <legend className="font-medium">Values of secrets</legend>
      <p className="mb-2 text-sm text-ink-soft">An empty one leaves the stored secret as it is.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {references.map((name) => (
          <Field key={name} label={name}>
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="off"
                className={inputLook}
                value={values[name] ?? ''}
                onChange={(event) => set({ ...values, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  )
}
