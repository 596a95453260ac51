-- What agents of private locations can do and how busy they are, so that every server can tell it. Unknown until an agent
-- calls again.
ALTER TABLE private_location_agents
  ADD COLUMN capabilities text[] NOT NULL DEFAULT '{}',
  ADD COLUMN running integer,
  ADD COLUMN slots integer;
