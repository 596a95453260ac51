-- Times in which a check was degraded or failing. Written by the transaction that changes the state; `ended_at` is null while
-- it lasts. No foreign keys: ingest must not wait for a check that somebody changes.
CREATE TABLE check_episodes (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('failing', 'degraded')),
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  cause text,
  result_id uuid,
  acknowledged_by text,
  acknowledged_at timestamptz,
  CHECK ((acknowledged_by IS NULL) = (acknowledged_at IS NULL))
);
CREATE UNIQUE INDEX check_episodes_open ON check_episodes (check_id) WHERE ended_at IS NULL;
CREATE INDEX check_episodes_check ON check_episodes (check_id, began_at DESC, id);

-- The alerts of an episode, and through them who was notified of it.
ALTER TABLE check_alerts ADD COLUMN episode_id uuid;
CREATE INDEX check_alerts_episode ON check_alerts (episode_id) WHERE episode_id IS NOT NULL;

-- Checks that are in trouble now.
INSERT INTO check_episodes (id, account_id, check_id, state, began_at, cause, result_id)
SELECT gen_random_uuid(), s.account_id, s.check_id, s.state, s.state_since, s.cause,
  (SELECT r.id FROM check_results r WHERE r.check_id = s.check_id AND r.due_at = s.state_since AND r.result_type = 'FINAL'
   ORDER BY r.id LIMIT 1)
FROM check_status s JOIN checks c ON c.id = s.check_id
WHERE s.state IN ('failing', 'degraded') AND s.state_since IS NOT NULL AND c.activated AND c.deleted_at IS NULL
  AND c.not_runnable IS NULL;
UPDATE check_alerts a SET episode_id = e.id FROM check_episodes e
WHERE a.check_id = e.check_id AND a.created_at >= e.began_at AND a.alert_type NOT LIKE '%RECOVERY'
  AND a.alert_type NOT IN ('ALERT_SSL', 'ALERT_UNKNOWN');

-- Open pages of other servers hear who acknowledged. Ends of episodes come with results, of which they do not hear.
CREATE TRIGGER note_check_acknowledged_update AFTER UPDATE ON check_episodes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '')
  EXECUTE FUNCTION note_change('check.acknowledged', 'check_id', 'ended_at IS NULL');
