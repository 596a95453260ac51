import { useQuery } from '@tanstack/react-query'
import type { CheckFacts } from '@vedette/wire'
import { factsQuery, type ReadCheck } from '../../api/read-check.ts'
import { Moment, TimeAgo } from '../time/time-text.tsx'
import { certificateText, endsSoon } from './certificate-text.ts'
import { Fact } from './fact.tsx'

/** How long the certificate is valid, and who changed the check last. */
export function KnownFacts({ check }: { check: ReadCheck }) {
  const { data: facts } = useQuery(factsQuery(check.id))
  const change = facts?.lastChange
  return (
    <>
      {facts?.certificate && <Certificate certificate={facts.certificate} />}
      <Fact label="Last change">
        <TimeAgo at={change?.at ?? check.updated_at ?? check.created_at} />
        {change && ` by ${change.byKind === 'key' ? `the API key “${change.by}”` : change.by}`}
      </Fact>
    </>
  )
}

function Certificate({ certificate }: { certificate: NonNullable<CheckFacts['certificate']> }) {
  const tone = certificate.daysRemaining < 0 ? 'font-medium text-fail' : 'font-medium text-degraded'
  return (
    <Fact label="Certificate">
      <span className={endsSoon(certificate) ? tone : undefined}>{certificateText(certificate)}</span>, until{' '}
      <Moment at={certificate.expiresAt} />
      <span className="block text-ink-soft">
        {certificate.alertFromDays === null
          ? 'No channel is notified before it expires.'
          : `Its channels are told ${certificate.alertFromDays} days before it expires.`}
      </span>
    </Fact>
  )
}
