import { useQueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '@vedette/wire'
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { noteServerTime } from '../components/basics/time-text.tsx'
import { openLive, type Connection } from './live-connection.ts'

const LiveContext = createContext<Connection>('connecting')

/** Whether the page receives events. With any value but `live`, states are grey. */
export const useConnection = (): Connection => useContext(LiveContext)

/** Changes arrive in bursts when many checks run: pages fetch again at most this often, in milliseconds. */
const gatherMs = 400

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')

  useEffect(() => {
    const stale = new Set<string>()
    let gathering: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      gathering = undefined
      for (const key of stale) void client.invalidateQueries({ queryKey: key.split('/') })
      stale.clear()
    }
    let wasLost = false
    const live = openLive({
      serverTime: noteServerTime,
      event(event) {
        for (const key of staleAfter(event)) stale.add(key)
        gathering ??= setTimeout(refresh, gatherMs)
      },
      connection(state) {
        setConnection(state)
        // The stream also ends with the session, so the session is fetched again.
        if (state === 'lost') void client.invalidateQueries({ queryKey: ['session'] })
        if (state === 'live' && wasLost) void client.invalidateQueries()
        wasLost = state === 'lost' || (wasLost && state !== 'live')
      },
    })
    return () => {
      clearTimeout(gathering)
      live.close()
    }
  }, [client])

  return <LiveContext value={connection}>{children}</LiveContext>
}

/** Query keys, joined by slashes, whose data an event makes outdated. */
function staleAfter(event: LiveEvent): string[] {
  if (event.kind === 'notification') return ['notifications']
  if (event.kind === 'health') return ['health', 'agents']
  if (event.kind === 'check') return ['overview', `check/${event.checkId}`]
  return ['overview', `results/${event.checkId}`]
}
