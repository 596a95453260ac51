-- What takes changes of many checks back, for those who hold the token.
CREATE TABLE bulk_undos (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  undo jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX bulk_undos_expired ON bulk_undos (expires_at);
