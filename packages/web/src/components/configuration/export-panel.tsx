import { useMutation } from '@tanstack/react-query'
import type { ConfigurationDocument } from '@vedette/wire'
import { Download } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { stringify } from 'yaml'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'

type Section = keyof ConfigurationDocument

const sections: Record<Section, string> = {
  account: 'Settings of the account',
  variables: 'Variables',
  snippets: 'Snippets',
  privateLocations: 'Private locations',
  alertChannels: 'Alert channels',
  checkGroups: 'Check groups',
  checks: 'Checks',
}

const formats = {
  yaml: {
    type: 'application/yaml',
    write: (value: object) => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }),
  },
  json: { type: 'application/json', write: (value: object) => `${JSON.stringify(value, null, 2)}\n` },
}

/** Downloads the configuration of the account, all of it or one kind. */
export function ExportPanel() {
  const [section, setSection] = useState<Section | ''>('')
  const [format, setFormat] = useState<keyof typeof formats>('yaml')
  const download = useMutation({
    mutationFn: async () => {
      const whole = await call<ConfigurationDocument>('GET', '/v1/export')
      if (section !== '' && whole[section] === undefined)
        throw new Error(`There is nothing to download: the account has no ${sections[section].toLowerCase()}.`)
      const { type, write } = formats[format]
      const text = write(section === '' ? whole : { [section]: whole[section] })
      save(`${fileName(section)}.${format}`, new Blob([text], { type }))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    download.mutate()
  }
  return (
    <Panel title="Export">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <Field label="What">
          {(control) => (
            <Select {...control} value={section} onChange={(event) => setSection(event.target.value as Section | '')}>
              <option value="">Everything</option>
              {Object.entries(sections).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="As">
          {(control) => (
            <Select
              {...control}
              value={format}
              onChange={(event) => setFormat(event.target.value as keyof typeof formats)}
            >
              <option value="yaml">YAML</option>
              <option value="json">JSON</option>
            </Select>
          )}
        </Field>
        <Button type="submit" isBusy={download.isPending} icon={<Download aria-hidden="true" className="size-4" />}>
          Download
        </Button>
      </form>
      {download.isError && <Fault text={download.error.message} />}
    </Panel>
  )
}

/** As `npm run export` names its files. */
const fileName = (section: string): string =>
  section === '' ? 'vedette' : section.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
