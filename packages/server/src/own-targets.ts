import { lookup } from 'node:dns/promises'
import type { DeniedTarget } from '@vedette/wire'

/** Addresses of our own listener and database, which no check and no notification may reach. */
export async function ownTargets(listening: DeniedTarget, databaseUrl: string | undefined): Promise<DeniedTarget[]> {
  if (databaseUrl === undefined) return [listening]
  const { hostname, port } = new URL(databaseUrl)
  const addresses = await lookup(hostname.replaceAll(/^\[|\]$/g, '') || 'localhost', { all: true })
  return [listening, ...addresses.map(({ address }) => ({ address, port: port === '' ? 5432 : Number(port) }))]
}
