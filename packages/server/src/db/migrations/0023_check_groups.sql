-- Groups of checks: settings that their checks share.
CREATE TABLE check_groups (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  definition jsonb NOT NULL,
  secrets jsonb NOT NULL,
  version int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  UNIQUE (account_id, id)
);
CREATE INDEX check_groups_tags ON check_groups USING gin ((definition->'tags'));

-- A server of the version before may be writing: what stores results, most of all, locks these in this order.
LOCK TABLE check_status, checks IN ACCESS EXCLUSIVE MODE;
ALTER TABLE checks
  ADD COLUMN group_id int GENERATED ALWAYS AS ((definition->>'groupId')::int) STORED,
  ADD COLUMN group_order bigint GENERATED ALWAYS AS ((definition->>'groupOrder')::bigint) STORED;
CREATE INDEX checks_group ON checks (account_id, group_id, group_order, id) WHERE group_id IS NOT NULL;

-- The list is also counted and filtered by group.
DROP INDEX checks_listed;
CREATE INDEX checks_listed ON checks (account_id, id)
  INCLUDE (name, type, host, activated, muted, muted_until, period_seconds, not_runnable, group_id) WHERE deleted_at IS NULL;

ALTER TABLE alert_subscriptions
  ADD FOREIGN KEY (account_id, group_id) REFERENCES check_groups (account_id, id) ON DELETE CASCADE;
CREATE INDEX alert_subscriptions_group ON alert_subscriptions (group_id);
