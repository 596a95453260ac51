import type { AlertChannelHealth } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'

interface HealthRow {
  id: number
  status: string | null
  queued_at: Date | null
  response_status: number | null
  notification_result: string | null
  test_accepted_at: Date | null
  waiting: number
}

/** How the channels of an account do, each by its newest notification that ended. */
export async function readChannelHealth(client: Queryable, account: string): Promise<AlertChannelHealth[]> {
  const { rows } = await client.query<HealthRow>(
    `SELECT c.id, n.status, n.queued_at, n.response_status, n.notification_result, c.test_accepted_at,
       (SELECT count(*)::int FROM alert_notifications w WHERE w.channel_id = c.id AND w.status = 'IN_PROGRESS') AS waiting
     FROM alert_channels c
     LEFT JOIN LATERAL (SELECT status, queued_at, response_status, notification_result FROM alert_notifications
       WHERE channel_id = c.id AND status <> 'IN_PROGRESS' ORDER BY seq DESC LIMIT 1) n ON true
     WHERE c.account_id = $1 AND c.deleted_at IS NULL ORDER BY c.id`,
    [account],
  )
  return rows.map(toHealth)
}

function toHealth(row: HealthRow): AlertChannelHealth {
  const { id: channelId, queued_at: sentAt, test_accepted_at: testedAt, waiting } = row
  // A test that was accepted after the newest notification shows that the channel works again.
  const isTested = testedAt !== null && (sentAt === null || testedAt > sentAt)
  if (isTested)
    return { channelId, condition: 'working', at: testedAt.toISOString(), status: null, answer: null, waiting }
  return {
    channelId,
    condition: row.status === null ? 'unused' : row.status === 'SUCCESS' ? 'working' : 'failing',
    at: sentAt?.toISOString() ?? null,
    status: row.response_status,
    answer: row.notification_result,
    waiting,
  }
}
