import { useMay } from '../app/session.ts'
import { ExportPanel } from '../components/configuration/export-panel.tsx'
import { ImportPanels } from '../components/configuration/import-panels.tsx'
import { SettingsHead } from '../components/settings/settings-head.tsx'
import { Panel } from '../ui/panel.tsx'

/** The configuration of the account as files: downloaded, and brought to what files say. */
export function FilesPage() {
  const mayImport = useMay('write')
  return (
    <>
      <SettingsHead page="Files" />
      <p className="mb-3 max-w-3xl text-ink-soft">
        The configuration of the account as YAML or JSON: settings, variables, snippets, private locations, channels,
        groups and checks, known by their names. Secrets are never in it; a reference{' '}
        <code className="font-mono">{'{ $env: NAME }'}</code> stands in place of each.
      </p>
      <div className="flex flex-col gap-4">
        <ExportPanel />
        {mayImport ? (
          <ImportPanels />
        ) : (
          <Panel title="Import">
            <p className="text-ink-soft">Importing files needs the role write.</p>
          </Panel>
        )}
      </div>
    </>
  )
}
