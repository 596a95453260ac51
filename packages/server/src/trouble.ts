import type { TroubleCode } from '@vedette/wire'

/** Something that is wrong with the installation itself, or with one of its locations. */
export interface Trouble {
  /** The same while it lasts, also over a restart. */
  key: string
  /** The same for every server that sees it now, and another when it comes up again; so they tell it under one id. */
  occurrence?: string
  code: TroubleCode
  severity: 'critical' | 'warning'
  /** Name of the location, or Vedette. */
  subject: string
  /** The one account it concerns; null: all. */
  accountId: string | null
  location: string | null
  title: string
  /** The title once it is over. */
  over: string
  /** For everybody: without addresses, paths and messages of other software. */
  text: string
  /** The error itself, for the operator. */
  reason?: string | null
  advice: string
  /** Epoch milliseconds. */
  since: number
}
