import { mostImportedBytes } from '@vedette/wire'
import { Trash2 } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../../ui/button.tsx'
import { areaLook, Field } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Problem, SourceFile } from './read-files.ts'

/** Name of the text that was pasted and is no file. */
export const pasted = 'Pasted text'

export const lengthOf = (files: readonly SourceFile[]): number => files.reduce((sum, { text }) => sum + text.length, 0)

interface Props {
  files: readonly SourceFile[]
  onFiles: (files: SourceFile[]) => void
  problems: readonly Problem[]
  open: string
  onOpen: (name: string) => void
  /** The text areas by the name of their file. */
  areas: RefObject<Map<string, HTMLTextAreaElement>>
}

/** The files that are to be imported, each to be read and changed. */
export function FileTabs({ files, onFiles, problems, open, onOpen, areas }: Props) {
  const left = mostImportedBytes - lengthOf(files)
  const write = (name: string, text: string) =>
    onFiles(files.map((file) => (file.name === name ? { name, text } : file)))
  const remove = (name: string) => {
    onOpen(pasted)
    onFiles(files.filter((file) => file.name !== name))
  }
  const tabs = files.map(({ name, text }) => ({
    id: name,
    label: name,
    count: problems.filter(({ place }) => place?.file === name).length,
    content: (
      <div className="flex flex-col gap-2">
        <Field
          label={name === pasted ? 'YAML or JSON' : name}
          faulty={problems.some(({ place }) => place?.file === name)}
        >
          {(control) => (
            <textarea
              {...control}
              ref={(area) => {
                if (area) areas.current.set(name, area)
                return () => void areas.current.delete(name)
              }}
              rows={18}
              // Lines of the text are lines on the screen, so that the place of a problem can be gone to.
              wrap="off"
              spellCheck={false}
              autoComplete="off"
              maxLength={text.length + left}
              placeholder={name === pasted ? 'checks:\n  - name: Front page\n    type: URL' : undefined}
              className={areaLook}
              value={text}
              onChange={(event) => write(name, event.target.value)}
            />
          )}
        </Field>
        {name !== pasted && (
          <div>
            <Button look="quiet" icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => remove(name)}>
              Leave out {name}
            </Button>
          </div>
        )}
      </div>
    ),
  }))
  return <Tabs label="Files" tabs={tabs} open={open} onOpen={onOpen} />
}

/** Puts the cursor of a text area on a line and brings that into sight. */
export function goToLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  const height = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 4) * height)
}
