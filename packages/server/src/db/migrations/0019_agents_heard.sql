-- Whether an agent has ever called with a key: a location whose first agent is awaited has nobody to wait for. Of the keys
-- of before it is not known, and they count as used.
ALTER TABLE agent_keys ADD COLUMN first_heard_at timestamptz;
UPDATE agent_keys SET first_heard_at = created_at;
