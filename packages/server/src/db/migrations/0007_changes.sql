-- What one server has written and others must take note of. A row is written by the transaction of the change itself, whoever
-- makes it. Only connections that say which server they are write rows: the embedded database has one server.
CREATE TABLE changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Ids are given before commits, so a reader goes by the transactions that its last look did not see.
  transaction bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  server text NOT NULL,
  kind text NOT NULL,
  account_id uuid,
  ids jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX changes_transaction ON changes (transaction);

-- Arguments: kind of the change, column with the ids, condition on the rows.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  written int;
BEGIN
  EXECUTE format(
    'INSERT INTO changes (server, kind, account_id, ids)
     SELECT current_setting(''vedette.server''), %L, account_id, jsonb_agg(DISTINCT %I) FROM changed WHERE %s
     GROUP BY account_id', TG_ARGV[0], TG_ARGV[1], TG_ARGV[2]);
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written > 0 THEN
    PERFORM pg_notify('vedette_changes', '');
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION pg_temp.noted(tab text, event text, kind text, ids text, condition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s TABLE AS changed FOR EACH STATEMENT
     WHEN (current_setting(''vedette.server'', true) <> '''') EXECUTE FUNCTION note_change(%L, %L, %L)',
    'note_' || replace(kind, '.', '_') || '_' || lower(event), event, tab,
    CASE event WHEN 'DELETE' THEN 'OLD' ELSE 'NEW' END, kind, ids, condition);
END $$;

SELECT pg_temp.noted('checks', 'INSERT', 'check.created', 'id', 'true');
SELECT pg_temp.noted('checks', 'UPDATE', 'check.updated', 'id', 'deleted_at IS NULL');
SELECT pg_temp.noted('checks', 'UPDATE', 'check.deleted', 'id', 'deleted_at IS NOT NULL');
SELECT pg_temp.noted('pending_runs', 'INSERT', 'run.requested', 'check_id', 'attempt = 0');
SELECT pg_temp.noted('check_events', 'INSERT', 'event', 'check_id', 'true');
SELECT pg_temp.noted('alert_notifications', 'INSERT', 'notification', 'id', 'true');
SELECT pg_temp.noted('variables', event, 'variables', 'key', 'true') FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) event;
SELECT pg_temp.noted('agent_keys', event, 'agent-keys', 'id', 'true') FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) event;
SELECT pg_temp.noted('private_locations', event, 'agent-keys', 'id', 'true') FROM unnest(ARRAY['INSERT', 'UPDATE']) event;
SELECT pg_temp.noted('api_keys', 'UPDATE', 'credentials', 'id', 'true');
SELECT pg_temp.noted('web_sessions', 'UPDATE', 'credentials', 'user_id', 'true');

DROP FUNCTION pg_temp.noted(text, text, text, text, text);
