-- Members: who owns an account, since when somebody belongs to it, and invitations.
ALTER TABLE memberships
  ADD COLUMN owner boolean NOT NULL DEFAULT false,
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now());
UPDATE memberships m SET created_at = date_trunc('milliseconds', u.created_at), updated_at = date_trunc('milliseconds', u.created_at)
FROM users u WHERE u.id = m.user_id;
UPDATE memberships m SET owner = true
WHERE m.user_id = (SELECT o.user_id FROM memberships o WHERE o.account_id = m.account_id AND o.role = 'admin'
  ORDER BY o.created_at, o.user_id LIMIT 1);
CREATE INDEX memberships_list ON memberships (account_id, created_at, user_id);
CREATE INDEX memberships_user ON memberships (user_id);

CREATE TABLE invites (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  email text NOT NULL,
  role text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  inviter text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invites_email ON invites (account_id, lower(email));
CREATE INDEX invites_list ON invites (account_id, created_at, id);

-- An account that is suspended keeps everything; nobody gets in, and its checks do not run.
ALTER TABLE accounts ADD COLUMN suspended_at timestamptz, ADD COLUMN suspended_because text;
CREATE INDEX accounts_list ON accounts (created_at, id);

-- Keys: an end, and the member they act for. The last use stands apart: other servers need not take note of it.
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz, ADD COLUMN user_id uuid REFERENCES users;
CREATE INDEX api_keys_list ON api_keys (account_id, created_at, id) WHERE revoked_at IS NULL;
CREATE TABLE api_key_uses (
  key_id uuid PRIMARY KEY REFERENCES api_keys,
  last_used_at timestamptz NOT NULL
);

-- The audit log is read newest first: all of an account, of a resource, of one thing, or of an actor.
CREATE INDEX audit_log_list ON audit_log (account_id, at DESC, id DESC);
DROP INDEX audit_log_account;
CREATE INDEX audit_log_resource ON audit_log (account_id, resource, at DESC, id DESC);
CREATE INDEX audit_log_thing ON audit_log (account_id, resource_id, at DESC, id DESC);
CREATE INDEX audit_log_actor ON audit_log (account_id, actor, at DESC, id DESC);

-- Other servers keep roles and suspensions for some seconds: they are told of changes.
CREATE FUNCTION note_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (server, kind, account_id, ids)
  SELECT current_setting('vedette.server'), 'credentials', id, jsonb_build_array(id) FROM changed;
  PERFORM pg_notify('vedette_changes', '');
  RETURN NULL;
END $$;
CREATE TRIGGER note_credentials_update AFTER UPDATE ON accounts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_account_change();
CREATE TRIGGER note_credentials_insert AFTER INSERT ON memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_change('credentials', 'user_id', 'true');
CREATE TRIGGER note_credentials_update AFTER UPDATE ON memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_change('credentials', 'user_id', 'true');
CREATE TRIGGER note_credentials_delete AFTER DELETE ON memberships REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '') EXECUTE FUNCTION note_change('credentials', 'user_id', 'true');
