import type { CheckResult } from '@vedette/checks'
import type { AssetManifest, Traceroute } from '@vedette/wire'
import { call } from './client.ts'

/** What was found out about the network trouble of a run. */
export interface NetworkFiles {
  traceroute: Traceroute | undefined
  /** Where the capture is read. */
  capture: string | undefined
  /** Of an earlier attempt of the run: an agent looks into a check once in five minutes. */
  isEarlier: boolean
}

/** An address of the server as this page reaches it. */
const pathOf = (url: string): string => new URL(url).pathname

/** Null when there is none. */
export async function networkFilesOf({
  checkId,
  id,
}: Pick<CheckResult, 'checkId' | 'id'>): Promise<NetworkFiles | null> {
  const { assets } = await call<AssetManifest>('GET', `/v1/check-results/${checkId}/${id}/assets`)
  const [first] = assets
  if (first === undefined) return null
  const { resultId } = first.source
  const find = (wanted: string) => assets.find(({ type, source }) => type === wanted && source.resultId === resultId)
  const report = find('report')
  const capture = find('pcap')
  return {
    traceroute: report && (await call<Traceroute>('GET', pathOf(report.url))),
    capture: capture && pathOf(capture.url),
    isEarlier: resultId !== id,
  }
}
