import type { Check, CheckFacts, CommonCheck } from '@vedette/wire'
import { call } from './client.ts'

/** A check as the API answers it: fields that its type leaves out are missing. */
export type ReadCheck = Check & Partial<CommonCheck> & { created_at: string; updated_at: string | null }

export const checkQuery = (checkId: string) => ({
  queryKey: ['check', checkId],
  queryFn: () => call<ReadCheck>('GET', `/v1/checks/${checkId}`),
})

/** The same with the settings that count for it, those of its group included. */
export const checkInForceQuery = (checkId: string) => ({
  queryKey: ['check', checkId, 'in force'],
  queryFn: () => call<ReadCheck>('GET', `/v1/checks/${checkId}?applyGroupSettings=true`),
})

/** What is known of a check besides its settings and its state. Read again whenever the check is. */
export const factsQuery = (checkId: string) => ({
  queryKey: ['check', checkId, 'facts'],
  queryFn: () => call<CheckFacts>('GET', `/v1/checks/${checkId}/facts`),
  refetchInterval: 300_000,
})
