import { KeysPanel } from '../components/settings/keys-panel.tsx'
import { SettingsHead } from '../components/settings/settings-head.tsx'

/** Keys of the management API. */
export function KeysPage() {
  return (
    <>
      <SettingsHead page="API keys" />
      <KeysPanel />
    </>
  )
}
