-- What an account says of its private location. The address of the proxy for its API checks may hold a password: it is one of
-- its secrets, which are sealed.
ALTER TABLE private_locations
  ADD COLUMN icon text NOT NULL DEFAULT 'location',
  ADD COLUMN secrets jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz;
CREATE INDEX agent_keys_location ON agent_keys (location, created_at);

-- The queue of each private location, once a minute, as the server that leads sees it.
CREATE TABLE private_location_samples (
  location_id uuid NOT NULL REFERENCES private_locations,
  at timestamptz NOT NULL,
  waiting integer NOT NULL,
  oldest_seconds integer NOT NULL,
  PRIMARY KEY (location_id, at)
);

-- The agents heard of at private locations, as of the last minute: for servers that do not lead, and over restarts.
CREATE TABLE private_location_agents (
  location_id uuid NOT NULL REFERENCES private_locations,
  agent_id uuid NOT NULL,
  key_id uuid NOT NULL,
  version text,
  protocol integer,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (location_id, agent_id)
);
