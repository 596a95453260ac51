-- Alerts of the installation itself are of no check, run and revision.
ALTER TABLE check_alerts
  ALTER COLUMN check_id DROP NOT NULL,
  ALTER COLUMN result_id DROP NOT NULL,
  ALTER COLUMN result_due_at DROP NOT NULL,
  ALTER COLUMN revision DROP NOT NULL;
ALTER TABLE alert_notifications
  ALTER COLUMN check_id DROP NOT NULL,
  ALTER COLUMN check_type DROP NOT NULL,
  ALTER COLUMN due_at DROP NOT NULL;

-- Whether the last message over a channel was accepted is asked every half minute.
CREATE INDEX alert_notifications_channel ON alert_notifications (channel_id, queued_at DESC);

-- Troubles that were alerted and are not over: a restart neither repeats them nor forgets their recovery.
CREATE TABLE system_troubles (
  key text PRIMARY KEY,
  id uuid NOT NULL,
  trouble jsonb NOT NULL,
  alerted_at timestamptz NOT NULL
);
