-- Locations of accounts. Everything else names one as `pl_` and its id; the slug is for people and stays readable after a soft delete.
CREATE TABLE private_locations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  slug text NOT NULL CHECK (slug ~ '^[a-zA-Z0-9-]{1,30}$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX private_locations_slug ON private_locations (account_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX private_locations_account ON private_locations (account_id);

-- What belongs to a private location belongs to an account.
ALTER TABLE agent_keys ADD CHECK ((kind = 'private') = (account_id IS NOT NULL) AND (kind = 'private') = (location LIKE 'pl\_%'));
ALTER TABLE coverage_gaps ADD CHECK (location NOT LIKE 'pl\_%' OR account_id IS NOT NULL);

-- The settings in force, of check and account combined; `activated` and `tags` stand in their own columns. Those of a revision
-- are filled in when the next one replaces it: what it had last.
ALTER TABLE checks ADD COLUMN effective jsonb;
ALTER TABLE check_revisions ADD COLUMN effective jsonb;

CREATE FUNCTION pg_temp.effective(d jsonb, account accounts) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object(
    'muted', coalesce(d->'muted' = 'true', false),
    'frequency', coalesce(d->'frequency', 'null'),
    'frequencyOffset', coalesce(d->'frequencyOffset', 'null'),
    'locations', CASE WHEN NOT d ? 'frequency' THEN '[]'
      WHEN own.locations = '[]' THEN to_jsonb(account.default_locations) ELSE own.locations END,
    'runParallel', coalesce(d->'runParallel' = 'true', false),
    'retryStrategy', CASE
      WHEN jsonb_typeof(d->'retryStrategy') = 'object' THEN
        '{"baseBackoffSeconds": 60, "sameRegion": true, "maxRetries": 2, "maxDurationSeconds": 600}'::jsonb
        || (d->'retryStrategy')
        || CASE WHEN d #>> '{retryStrategy,type}' = 'SINGLE_RETRY' THEN '{"maxRetries": 1}' ELSE '{}'::jsonb END
        || jsonb_build_object('onlyOn', CASE jsonb_typeof(d #> '{retryStrategy,onlyOn}')
          WHEN 'array' THEN d #> '{retryStrategy,onlyOn}'
          WHEN 'string' THEN jsonb_build_array(d #> '{retryStrategy,onlyOn}') ELSE '[]' END)
      WHEN d->'doubleCheck' = 'true' THEN
        '{"type": "FIXED", "baseBackoffSeconds": 0, "sameRegion": false, "maxRetries": 1, "maxDurationSeconds": 600, "onlyOn": []}'
      ELSE 'null' END,
    'alertSettings', jsonb_build_object(
      'escalationType', coalesce(own.alerts->'escalationType', '"RUN_BASED"'),
      'runBasedEscalation', '{"failedRunThreshold": 1}' || coalesce(own.alerts->'runBasedEscalation', '{}'),
      'timeBasedEscalation', '{"minutesFailingThreshold": 5}' || coalesce(own.alerts->'timeBasedEscalation', '{}'),
      'reminders', '{"amount": 0, "interval": 5}' || coalesce(own.alerts->'reminders', '{}'),
      'parallelRunFailureThreshold',
        '{"enabled": false, "percentage": 10}' || coalesce(own.alerts->'parallelRunFailureThreshold', '{}')))
  FROM (SELECT
    coalesce(nullif(d->'locations', 'null'), '[]') || coalesce(nullif(d->'privateLocations', 'null'), '[]') AS locations,
    CASE WHEN d->'useGlobalAlertSettings' = 'false' THEN nullif(d->'alertSettings', 'null')
      ELSE account.alert_settings END AS alerts) own
$$;

UPDATE checks c SET effective = pg_temp.effective(c.definition, a) FROM accounts a WHERE a.id = c.account_id;
-- Most revisions change no setting: theirs need not be worked out again, which takes long.
CREATE FUNCTION pg_temp.settings(d jsonb) RETURNS jsonb[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY[d->'muted', d->'frequency', d->'frequencyOffset', d->'locations', d->'privateLocations', d->'runParallel',
    d->'retryStrategy', d->'doubleCheck', d->'alertSettings', d->'useGlobalAlertSettings']
$$;
UPDATE check_revisions r SET effective = CASE
  WHEN pg_temp.settings(r.definition) = pg_temp.settings(c.definition) THEN c.effective
  ELSE pg_temp.effective(r.definition, a) END
FROM checks c, accounts a WHERE c.id = r.check_id AND a.id = r.account_id AND r.revision < c.revision;

DROP FUNCTION pg_temp.effective(jsonb, accounts), pg_temp.settings(jsonb);
ALTER TABLE checks ALTER COLUMN effective SET NOT NULL;
