-- What arrived by itself for passive checks.
CREATE TABLE check_events (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  at timestamptz NOT NULL,
  source text,
  user_agent text,
  payload text,
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);
CREATE UNIQUE INDEX check_events_check ON check_events (check_id, at);
CREATE INDEX check_events_at ON check_events (at);

-- The token by which senders of events name a check, and since when its events count; null: since its creation.
ALTER TABLE checks ADD COLUMN event_token uuid, ADD COLUMN counted_from timestamptz;
CREATE UNIQUE INDEX checks_event_token ON checks (event_token) WHERE deleted_at IS NULL;

-- Results of a passive check up to here are decided, though some may not be stored yet: a new event comes after them.
ALTER TABLE check_status ADD COLUMN decided_to timestamptz;

-- Passive checks run nowhere.
ALTER TABLE check_results ALTER COLUMN location DROP NOT NULL;
ALTER TABLE check_alerts ALTER COLUMN location DROP NOT NULL;
