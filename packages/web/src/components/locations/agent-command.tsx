import { CopyText } from '../../ui/copy-text.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** A new key of agents with the commands that start one, as the manual of the agent names its settings. */
export function AgentCommand({ rawKey, where }: { rawKey: string; where: string }) {
  return (
    <div className="rounded-md bg-accent-wash p-3">
      <p className="mb-1">Start an agent with this on a machine in {where}. The key is not shown again.</p>
      <Tabs
        label="Ways to start an agent"
        tabs={waysToStart(location.origin, rawKey).map(({ id, label, needs, command }) => ({
          id,
          label,
          content: (
            <>
              <p className="mb-1 text-sm text-ink-soft">{needs}</p>
              <CopyText label="Copy the command" text={command} />
            </>
          ),
        }))}
      />
    </div>
  )
}

const waysToStart = (url: string, key: string) => [
  {
    id: 'npx',
    label: 'Node',
    needs: 'Needs Node 20.19 or newer and the package that "npm run pack:agent" writes, in the same folder.',
    command: `VEDETTE_URL=${url} API_KEY=${key} npx --yes --package ./vedette-agent-*.tgz vedette-agent`,
  },
  {
    id: 'docker',
    label: 'Docker',
    needs: 'Needs the image that the target "agent" of deploy/Dockerfile builds.',
    command: `docker run -d --init --restart unless-stopped --stop-timeout 90 --cap-drop ALL --cap-add NET_RAW -v vedette-spool:/spool -e VEDETTE_URL=${url} -e API_KEY=${key} vedette-agent`,
  },
  {
    id: 'systemd',
    label: 'systemd',
    needs: 'Needs the package in /opt/vedette-agent and deploy/systemd/vedette-agent.service in /etc/systemd/system.',
    command: `printf 'VEDETTE_URL=%s\\nAPI_KEY=%s\\n' ${url} ${key} | sudo install -D -m 600 /dev/stdin /etc/vedette/agent.env && sudo systemctl enable --now vedette-agent`,
  },
  {
    id: 'repository',
    label: 'This repository',
    needs: 'Needs nothing else than a copy of the repository.',
    command: `VEDETTE_URL=${url} API_KEY=${key} npm run agent`,
  },
]
