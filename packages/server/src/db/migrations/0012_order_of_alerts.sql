-- Clocks of servers differ and are set back, so times do not say what came first. Alerts and notifications are numbered in the
-- order in which they were recorded; what there is gets its numbers by its times.
-- A server of the version before may be writing: it locks these in another order.
LOCK TABLE check_status, check_alerts, alert_notifications IN ACCESS EXCLUSIVE MODE;

-- `recorded_at`: when the alert was stored, by the clock of the database.
ALTER TABLE check_alerts ADD COLUMN seq bigint, ADD COLUMN recorded_at timestamptz;
UPDATE check_alerts a SET seq = numbered.seq, recorded_at = a.created_at FROM (
  SELECT id, row_number() OVER (ORDER BY created_at, result_due_at NULLS FIRST, reminder, id) AS seq FROM check_alerts) numbered
WHERE numbered.id = a.id;
ALTER TABLE check_alerts ALTER COLUMN seq SET NOT NULL, ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('check_alerts', 'seq'), coalesce(max(seq), 0) + 1, false) FROM check_alerts;
CREATE INDEX check_alerts_order ON check_alerts (check_id, seq);

ALTER TABLE alert_notifications ADD COLUMN seq bigint;
UPDATE alert_notifications n SET seq = numbered.seq FROM (
  SELECT id, row_number() OVER (ORDER BY decided_at, queued_at, due_at NULLS FIRST, id) AS seq FROM alert_notifications) numbered
WHERE numbered.id = n.id;
ALTER TABLE alert_notifications ALTER COLUMN seq SET NOT NULL, ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('alert_notifications', 'seq'), coalesce(max(seq), 0) + 1, false) FROM alert_notifications;

-- What waits is measured by the clock of the database, which all servers share. `planned_at`: when the next attempt or the claim
-- of a notification was planned: a plan of the future is of another time.
-- `unwatched_at`: since when nothing is known of a check.
ALTER TABLE check_alerts ALTER COLUMN recorded_at SET NOT NULL, ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();
ALTER TABLE check_status ADD COLUMN unwatched_at timestamptz;
UPDATE check_status SET unwatched_at = to_timestamp((alert_state #>> '{unwatched,since}')::float8 / 1000)
WHERE jsonb_typeof(alert_state->'unwatched') = 'object';
CREATE INDEX check_status_unwatched ON check_status (unwatched_at) WHERE unwatched_at IS NOT NULL;

-- A notification is about a check, or about the installation itself, of which an account hears in order.
ALTER TABLE alert_notifications
  ADD COLUMN subject_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(check_id, account_id)) STORED,
  ADD COLUMN planned_at timestamptz NOT NULL DEFAULT clock_timestamp();
DROP INDEX alert_notifications_line;
CREATE INDEX alert_notifications_line ON alert_notifications (subject_id, channel_id, line, seq) WHERE status = 'IN_PROGRESS';
CREATE INDEX alert_notifications_planned ON alert_notifications (planned_at) WHERE status = 'IN_PROGRESS';
