-- What the list of the web app reads of all checks at once stands in narrow columns. Those that follow from wide JSON are worked
-- out by the database whenever that is written.
-- A server of the version before may be writing: what stores results, most of all, locks these in this order.
LOCK TABLE check_status, checks IN ACCESS EXCLUSIVE MODE;
ALTER TABLE checks
  ADD COLUMN host text NOT NULL DEFAULT '',
  ADD COLUMN muted boolean NOT NULL GENERATED ALWAYS AS (coalesce((effective->>'muted')::boolean, false)) STORED,
  ADD COLUMN period_seconds int GENERATED ALWAYS AS (
    CASE WHEN (effective->>'frequency')::int = 0 THEN (effective->>'frequencyOffset')::int
      ELSE (effective->>'frequency')::int * 60 END) STORED;
-- `known_at`: due time of the newest run with a known outcome; null before the first.
ALTER TABLE check_status
  ADD COLUMN known_at timestamptz GENERATED ALWAYS AS (to_timestamp(nullif((alert_state->>'dueAt')::float8, 0) / 1000)) STORED,
  ADD COLUMN last_response_ms real;

-- The same text as `describe` of the check type gives: for a URL its host as browsers show it, with the port where it is not
-- the usual one; a URL that is none, because of a variable, as a whole.
CREATE FUNCTION pg_temp.host(url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN found IS NULL OR found ~ '[\s<>^|%\\]' THEN url
    ELSE regexp_replace(lower(found), CASE WHEN url ~* '^https' THEN ':(443)?$' ELSE ':(80)?$' END, '') END
  FROM (SELECT substring(url FROM '(?i)^https?://(?:[^/?#]*@)?([^/?#]+)') AS found) f
$$;
UPDATE checks SET host = left(CASE type WHEN 'API' THEN pg_temp.host(target) ELSE target END, 255);
DROP FUNCTION pg_temp.host(text);

UPDATE check_status s SET last_response_ms = (
  SELECT r.response_ms FROM check_results r
  WHERE r.due_at = timestamptz 'epoch' + s.last_check_run_id * interval '1 millisecond' AND r.id = s.last_result_id)
WHERE last_result_id IS NOT NULL;

-- The list is counted and sorted from this index alone. All that it includes is short.
CREATE INDEX checks_listed ON checks (account_id, id)
  INCLUDE (name, type, host, activated, muted, muted_until, period_seconds, not_runnable) WHERE deleted_at IS NULL;
