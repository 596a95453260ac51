/**
 * SQL for the channels subscribed to checks: one row for each channel and check, with the channel's settings. Nothing
 * else may read subscriptions to find the channels of a check.
 */
export const subscribedChannels = `(
  SELECT s.account_id, s.check_id, s.channel_id, s.activated, ch.type, ch.config, ch.send_failure, ch.send_recovery,
    ch.send_degraded, ch.ssl_expiry, ch.ssl_expiry_threshold
  FROM alert_subscriptions s
  JOIN alert_channels ch ON ch.account_id = s.account_id AND ch.id = s.channel_id AND ch.deleted_at IS NULL
  WHERE s.check_id IS NOT NULL)`
