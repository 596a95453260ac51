import { CopyText } from '../../ui/copy-text.tsx'

/** A new key of agents with the command that starts one, as the manual of the agent names its settings. */
export function AgentCommand({ rawKey, where }: { rawKey: string; where: string }) {
  return (
    <div className="rounded-md bg-accent-wash p-3">
      <p className="mb-1">Start an agent with this on a machine in {where}. The key is not shown again.</p>
      <CopyText label="Copy the command" text={`VEDETTE_URL=${location.origin} API_KEY=${rawKey} npm run agent`} />
    </div>
  )
}
