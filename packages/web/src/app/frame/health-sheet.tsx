import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Condition } from '../../components/system/condition.tsx'
import { healthQuery } from '../../components/system/health-query.ts'
import type { Connection } from '../../live/live-connection.ts'
import { useConnection } from '../../live/live-provider.tsx'
import { Sheet } from '../../ui/dialog.tsx'

const connections: Record<Connection, string> = {
  connecting: 'This page is connecting to the server.',
  live: 'This page shows every change at once.',
  delayed: 'The server has not been heard for some seconds. This page waits for it, and asks again by itself.',
  lost: 'This page is cut off from the server: what it shows is the last known state. It tries again by itself.',
}

/** The reasons of the signal at the top: the line to the server, what is wrong with Vedette itself, and the figures. */
export function HealthSheet({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const health = useQuery(healthQuery)
  return (
    <Sheet isOpen onClose={onClose} title="Health of Vedette">
      <p className="mb-3 text-ink-soft">{connections[connection]}</p>
      {health.isError && (
        <p className="mb-2 text-fail">
          The health of Vedette cannot be read: {health.error.message}
          {health.data && ' What follows was read before.'}
        </p>
      )}
      {health.data && <Condition health={health.data} />}
      <p className="mt-4 flex flex-wrap gap-x-4">
        <Link to="/locations" className="text-accent underline" onClick={onClose}>
          Agents and locations
        </Link>
        <Link to="/channels" className="text-accent underline" onClick={onClose}>
          Channels
        </Link>
      </p>
    </Sheet>
  )
}
