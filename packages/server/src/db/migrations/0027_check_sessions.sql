-- What was asked for when a check was run besides its schedule. The results of the run are those of the check with the same due
-- time: they are stored once, in check_results. One without a due time waits for its turn in its group.
CREATE TABLE check_sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  check_name text NOT NULL,
  check_type text NOT NULL,
  source text NOT NULL,
  -- Ids of locations; each has one final result in the end.
  locations text[] NOT NULL,
  created_at timestamptz NOT NULL,
  due_at timestamptz,
  -- When the session ends without its results.
  give_up_at timestamptz,
  -- Runs, one for each location, that were cancelled.
  cancelled_sequences text[] NOT NULL DEFAULT '{}',
  -- Set together, once and for all.
  ended_at timestamptz,
  status text,
  -- Sessions of one group that were begun together: so many run at a time, in the order of their positions.
  batch uuid,
  position int,
  at_once int,
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);
CREATE UNIQUE INDEX check_sessions_run ON check_sessions (check_id, due_at);
CREATE INDEX check_sessions_of_account ON check_sessions (account_id, created_at DESC, id DESC);
CREATE INDEX check_sessions_of_batch ON check_sessions (batch, position) WHERE batch IS NOT NULL AND ended_at IS NULL;
CREATE INDEX check_sessions_created ON check_sessions (created_at);

-- Other servers wait for the end of sessions, and the leader takes back the runs of those that were cancelled.
CREATE TRIGGER note_session_ended_update AFTER UPDATE ON check_sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_change('session.ended', 'check_id', 'ended_at IS NOT NULL');
CREATE TRIGGER note_session_cancelled_update AFTER UPDATE ON check_sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_change('session.cancelled', 'id', 'cancelled_sequences <> ''{}''');

-- Addresses that run a check, or the checks of a group, without a key.
CREATE TABLE check_triggers (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL UNIQUE,
  -- The token, sealed, because it is shown again.
  secrets jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  called_at timestamptz,
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);

CREATE TABLE check_group_triggers (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  group_id int NOT NULL UNIQUE,
  secrets jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  called_at timestamptz,
  FOREIGN KEY (account_id, group_id) REFERENCES check_groups (account_id, id) ON DELETE CASCADE
);
