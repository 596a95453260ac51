import type { CheckResult } from '@vedette/checks'
import type { AssetManifest, Traceroute } from '@vedette/wire'
import { call, withQuery } from './client.ts'

/** What was found out about the network trouble of a run. */
export interface NetworkFiles {
  traceroute: Traceroute | undefined
  /** Where the capture is read. */
  capture: string | undefined
  /** Number of the attempt that was looked into. */
  attempt: number
}

type Attempt = Pick<CheckResult, 'id' | 'attempts'>

/** Addresses of the server as this page reaches it. */
const pathOf = (url: string): string => new URL(url).pathname

async function filesOf(checkId: string, { id, attempts }: Attempt): Promise<NetworkFiles | null> {
  const { assets } = await call<AssetManifest>('GET', `/v1/check-results/${checkId}/${id}/assets`)
  const report = assets.find(({ type }) => type === 'report')
  const capture = assets.find(({ type }) => type === 'pcap')
  if (report === undefined && capture === undefined) return null
  return {
    traceroute: report && (await call<Traceroute>('GET', pathOf(report.url))),
    capture: capture && pathOf(capture.url),
    attempt: attempts + 1,
  }
}

/** Of a result, or of the first attempt of its run: an agent looks into a check once in five minutes. Null when there is none. */
export async function networkFilesOf(result: CheckResult): Promise<NetworkFiles | null> {
  const own = await filesOf(result.checkId, result)
  if (own !== null || result.attempts === 0 || result.sequenceId === null) return own
  const asked = { resultType: 'ALL', fields: 'id,attempts', sequenceId: result.sequenceId, limit: 100 }
  const { entries } = await call<{ entries: Attempt[] }>('GET', withQuery(`/v2/check-results/${result.checkId}`, asked))
  const first = entries.find(({ attempts }) => attempts === 0)
  return first === undefined ? null : filesOf(result.checkId, first)
}
