import { alertChannelDefaults, type CheckFacts } from '@vedette/wire'

type Certificate = NonNullable<CheckFacts['certificate']>

/** "12 days left", "Less than a day left", "Expired". */
export function certificateText({ daysRemaining }: Pick<Certificate, 'daysRemaining'>): string {
  if (daysRemaining < 0) return 'Expired'
  if (daysRemaining === 0) return 'Less than a day left'
  return daysRemaining === 1 ? '1 day left' : `${daysRemaining} days left`
}

/** Whether it is time to renew it: from the day on that alerts tell of it, or would if a channel were told. */
export const endsSoon = ({ daysRemaining, alertFromDays }: Omit<Certificate, 'expiresAt'>): boolean =>
  daysRemaining <= (alertFromDays ?? alertChannelDefaults.sslExpiryThreshold)
