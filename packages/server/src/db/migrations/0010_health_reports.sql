-- What the leader knows of the installation's health, for servers that stand by. One row, written every few seconds, and only
-- where several servers can share the database.
CREATE TABLE health_reports (
  role text PRIMARY KEY REFERENCES leadership (role) ON DELETE CASCADE,
  epoch integer NOT NULL,
  -- Of the leader.
  host text NOT NULL,
  report jsonb NOT NULL,
  at timestamptz NOT NULL
);
