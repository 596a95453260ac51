import { captureLimit, networkAssets, type DiagnosticsRequest, type LeaseClaims } from '@vedette/wire'
import { ApiError, invalidField } from '../api-error.ts'
import { bytesOfAssets, insertAsset, readAssets, type Asset, type AssetOwner } from '../assets/index.ts'
import type { AgentApiDeps } from './agent-api-deps.ts'
import type { AgentKey } from './store.ts'

/** Of a body: a capture as base64, and a traceroute. */
export const diagnosticsBodyLimit = captureLimit * 1.5

/** What an agent may still tell after its run must have ended: it waits for a thread, and for the server. */
const slackMs = 3 * 60_000
/** For leases of older servers. */
const longestRunMs = 10 * 60_000
/** Files of one account. Agents that mean harm must not fill the disk. */
const accountLimit = 1024 * 1024 * 1024

/** Files whose numbers are written as this machine or the other kind does. */
const pcapBegins = ['d4c3b2a1', 'a1b2c3d4']

interface NewAsset extends Asset {
  content: Buffer
}

/** Stores what an agent found out about a failed run, as assets of its result. The lease says of which, as it does for results. */
export async function takeDiagnostics(deps: AgentApiDeps, key: AgentKey, body: DiagnosticsRequest): Promise<void> {
  const claims = claimsOf(deps, key, body.lease)
  // Results of dry runs are not stored.
  if (claims.source === 'EDITOR') return
  const { accountId, checkId, attemptId: resultId, sequenceId, dueAt } = claims
  const owner: AssetOwner = { accountId, checkId, resultId, sequenceId, dueAt }
  const known = new Set(
    (await readAssets(deps.db.pool, accountId, { resultId, sequenceId: null })).map(({ name }) => name),
  )
  const added = assetsOf(body).filter(({ name }) => !known.has(name))
  if (added.length === 0) return
  await requireRoom(deps, accountId, added)
  for (const { content, ...asset } of added) {
    await deps.assets.put({ dueAt, resultId, name: asset.name }, content)
    await insertAsset(deps.db.pool, owner, { ...asset, bytes: content.length }, deps.clock.now())
  }
  deps.onAssets(owner)
}

function claimsOf({ tokens, clock }: AgentApiDeps, key: AgentKey, lease: string): LeaseClaims {
  const claims = tokens.read(lease)
  if (claims === undefined) throw invalidField('lease', 'was not issued here')
  if (claims.keyId !== key.id) throw invalidField('lease', 'was issued to another location key')
  const { leasedAt, timeoutMs = longestRunMs } = claims
  if (clock.now() > leasedAt + timeoutMs + slackMs) throw invalidField('lease', 'is of a run that is over for long')
  return claims
}

function assetsOf({ traceroute, capture }: DiagnosticsRequest): NewAsset[] {
  return [
    ...(traceroute === undefined
      ? []
      : [
          {
            name: networkAssets.traceroute,
            type: 'report' as const,
            contentType: 'application/json',
            content: Buffer.from(JSON.stringify(traceroute)),
          },
        ]),
    ...(capture === undefined ? [] : [captureOf(capture)]),
  ]
}

function captureOf(base64: string): NewAsset {
  const content = Buffer.from(base64, 'base64')
  if (content.length > captureLimit)
    throw invalidField('capture', `must be at most ${captureLimit} bytes, got ${content.length}`)
  if (!pcapBegins.includes(content.subarray(0, 4).toString('hex'))) throw invalidField('capture', 'must be a pcap file')
  return { name: networkAssets.capture, type: 'pcap', contentType: 'application/vnd.tcpdump.pcap', content }
}

async function requireRoom({ db }: AgentApiDeps, account: string, added: readonly NewAsset[]): Promise<void> {
  const bytes = added.reduce((sum, { content }) => sum + content.length, 0)
  if ((await bytesOfAssets(db.pool, account)) + bytes <= accountLimit) return
  throw new ApiError(413, `The files of the results of this account may have ${accountLimit} bytes, and have them.`)
}
