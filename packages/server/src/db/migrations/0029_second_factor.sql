-- The second factor of a user: the sealed secret of the authenticator, since when it is asked for, and the last time step whose
-- code was used. Recovery codes are stored as hashes.
ALTER TABLE users
  ADD COLUMN totp_secret text,
  ADD COLUMN totp_since timestamptz,
  ADD COLUMN totp_last_step bigint;
CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES users,
  hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, hash)
);

-- How an identity provider knows a user.
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);
