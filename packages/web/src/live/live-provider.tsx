import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { noteCutOff } from '../app/patient.ts'
import { firstPageRead } from '../app/query-client.ts'
import { noteServerTime } from '../components/time/time-text.tsx'
import { catchUp } from './catch-up.ts'
import { eventSink } from './event-sink.ts'
import { openLive, type Connection } from './live-connection.ts'

const LiveContext = createContext<Connection>('connecting')

/** Whether the page receives events. While it is `lost`, states are grey. */
export const useConnection = (): Connection => useContext(LiveContext)

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')

  useEffect(() => {
    const sink = eventSink(client)
    let wasLost = false
    let hasBeenLive = false
    const live = openLive({
      serverTime: noteServerTime,
      event: (event) => sink.take(event),
      connection(state) {
        setConnection(state)
        noteCutOff(state === 'lost')
        // The stream also ends with the session, so the session is fetched again.
        if (state === 'lost' && !wasLost) void client.invalidateQueries({ queryKey: ['session'] })
        if (state === 'live' && wasLost) void client.invalidateQueries()
        if (state === 'live' && !hasBeenLive) {
          hasBeenLive = true
          const now = Date.now()
          void firstPageRead.then(() => catchUp(client, now))
        }
        wasLost = state === 'lost' || (wasLost && state !== 'live')
      },
    })
    return () => {
      sink.close()
      live.close()
    }
  }, [client])

  return <LiveContext value={connection}>{children}</LiveContext>
}
