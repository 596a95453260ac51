-- Notifications of one check to one channel go out in order within their line: the state of the check, whether it is watched,
-- certificates, the installation itself. `round` counts how often a channel is told of one alert that it did not accept.
ALTER TABLE alert_notifications
  ADD COLUMN line text NOT NULL GENERATED ALWAYS AS (CASE
    WHEN message->>'alertType' = 'ALERT_SSL' THEN 'certificate'
    WHEN message->>'alertType' IN ('ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY') THEN 'watch'
    WHEN message->>'alertType' IN ('ALERT_SYSTEM', 'ALERT_SYSTEM_RECOVERY') THEN 'system'
    ELSE 'state' END) STORED,
  ADD COLUMN round int NOT NULL DEFAULT 0,
  DROP CONSTRAINT alert_notifications_alert_id_channel_id_key,
  ADD UNIQUE (alert_id, channel_id, round);

-- What waits is looked for by channel, and its order within a line by check.
DROP INDEX alert_notifications_due;
CREATE INDEX alert_notifications_waiting ON alert_notifications (channel_id, next_attempt_at, id) WHERE status = 'IN_PROGRESS';
CREATE INDEX alert_notifications_line ON alert_notifications (check_id, channel_id, line, decided_at, queued_at, due_at, id)
  WHERE status = 'IN_PROGRESS';
CREATE INDEX alert_notifications_due ON alert_notifications (next_attempt_at) WHERE status = 'IN_PROGRESS' AND claimed_until IS NULL;
CREATE INDEX alert_notifications_claimed ON alert_notifications (claimed_until) WHERE status = 'IN_PROGRESS' AND claimed_until IS NOT NULL;
