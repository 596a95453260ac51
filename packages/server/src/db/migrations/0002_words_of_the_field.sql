-- Names that changed: the column of a run's worker class, the memory of the alert state machine, and our own trouble in results.
ALTER TABLE pending_runs RENAME COLUMN lane TO worker_class;

-- A server of the first version may still run on this PostgreSQL when the first new one starts. It does not understand the alert
-- states that were carried over: it would page twice and keep recoveries to itself. What it wants to store is refused in a way
-- that it takes for a passing trouble, so that agents keep their results and deliver them to the new server.
CREATE FUNCTION refuse_first_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A server of an older version still uses this database: stop it.'
    USING ERRCODE = 'object_not_in_prerequisite_state';
END $$;
CREATE TRIGGER refuse_first_version BEFORE UPDATE ON check_status
  FOR EACH ROW WHEN (NEW.alert_state->>'version' = '1') EXECUTE FUNCTION refuse_first_version();

UPDATE check_status SET alert_state =
  (alert_state - ARRAY['told', 'toldAt', 'raised', 'owed', 'owedRecovery', 'places']) || jsonb_build_object(
    'version', 2,
    'notified', coalesce(alert_state->'told', '"nothing"'),
    'notifiedAt', coalesce(alert_state->'toldAt', 'null'),
    'recorded', coalesce(alert_state->'raised', '"nothing"'),
    'pending', coalesce(alert_state->'owed', 'false'),
    'pendingRecovery', CASE jsonb_typeof(alert_state->'owedRecovery') WHEN 'object' THEN
      jsonb_build_object('type', alert_state #> '{owedRecovery,type}', 'notified', alert_state #> '{owedRecovery,told}')
      ELSE 'null' END,
    'locations', coalesce(alert_state->'places', '{}'),
    'open', coalesce((
      SELECT jsonb_agg((run - 'witnesses') || jsonb_build_object('triggeringResults', coalesce(run->'witnesses', '{}')) ORDER BY nr)
      FROM jsonb_array_elements(alert_state->'open') WITH ORDINALITY AS open_runs (run, nr)), '[]'))
WHERE alert_state->>'version' = '1';

-- Most results had none: they are left as they are. Only results that are not known have one, so that the bodies of others
-- need not be read.
UPDATE check_results SET body = (body - 'illness') || jsonb_build_object('internalError', body->'illness')
WHERE has_errors AND body->'illness' <> 'null';
