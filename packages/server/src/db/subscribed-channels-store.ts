/** SQL for subscriptions, given as SQL, with the settings of their channels. */
const withChannels = (subscriptions: string): string => `(
  SELECT s.account_id, s.check_id, s.channel_id, s.activated, s.through_group, ch.type, ch.config, ch.send_failure,
    ch.send_recovery, ch.send_degraded, ch.ssl_expiry, ch.ssl_expiry_threshold
  FROM (${subscriptions}) s
  JOIN alert_channels ch ON ch.account_id = s.account_id AND ch.id = s.channel_id AND ch.deleted_at IS NULL)`

const ownSubscriptions = `(SELECT account_id, check_id, channel_id, activated, false AS through_group
  FROM alert_subscriptions WHERE check_id IS NOT NULL)`

/**
 * SQL for the channels subscribed to checks, themselves or through their group: one row for each channel and check, with the
 * channel's settings. Those of a group count if it says whose alert settings its checks have. A channel of both has a row through the group only if the check's own does not notify. Nothing else may
 * read subscriptions to find the channels of a check.
 */
export const subscribedChannels = withChannels(`${ownSubscriptions}
  UNION ALL
  SELECT c.account_id, c.id, g.channel_id, g.activated, true
  FROM checks c
  JOIN alert_subscriptions g ON g.account_id = c.account_id AND g.group_id = c.group_id
  JOIN check_groups cg ON cg.account_id = c.account_id AND cg.id = c.group_id
  WHERE (jsonb_typeof(cg.definition->'alertSettings') = 'object' OR cg.definition->'useGlobalAlertSettings' = 'true')
    AND NOT EXISTS (SELECT 1 FROM alert_subscriptions o
      WHERE o.check_id = c.id AND o.channel_id = g.channel_id AND o.activated)`)

/** The same of subscriptions of checks themselves alone: it takes the database half the time. */
export const ownSubscribedChannels = withChannels(ownSubscriptions)

/** SQL over `c` (checks): the name of its group, or null. */
export const groupNameOf = `(SELECT cg.name FROM check_groups cg WHERE cg.account_id = c.account_id AND cg.id = c.group_id)`
