-- Accounts, people, keys
CREATE TABLE installation (
  key text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  alert_settings jsonb NOT NULL,
  default_locations text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz
);

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE memberships (
  account_id uuid NOT NULL REFERENCES accounts,
  user_id uuid NOT NULL REFERENCES users,
  role text NOT NULL,
  PRIMARY KEY (account_id, user_id)
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  role text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  masked text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE web_sessions (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  account_id uuid NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  user_agent text
);

CREATE TABLE sign_in_links (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  account_id uuid NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  resource text NOT NULL,
  resource_id text NOT NULL,
  request_id text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX audit_log_account ON audit_log (account_id, at);

-- Checks
CREATE TABLE checks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  type text NOT NULL,
  name text NOT NULL,
  activated boolean NOT NULL,
  tags text[] NOT NULL,
  definition jsonb NOT NULL,
  secrets jsonb NOT NULL,
  offset_sent boolean NOT NULL,
  revision int NOT NULL,
  version int NOT NULL,
  not_runnable text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  deleted_at timestamptz,
  UNIQUE (account_id, id)
);
CREATE INDEX checks_account ON checks (account_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE check_revisions (
  check_id uuid NOT NULL,
  revision int NOT NULL,
  account_id uuid NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  secrets jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (check_id, revision),
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);

CREATE TABLE check_status (
  check_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  state text NOT NULL,
  state_since timestamptz,
  cause text,
  has_failures boolean NOT NULL DEFAULT false,
  has_errors boolean NOT NULL DEFAULT false,
  is_degraded boolean NOT NULL DEFAULT false,
  failing_locations text[] NOT NULL DEFAULT '{}',
  longest_run real,
  shortest_run real,
  last_run_location text,
  last_check_run_id bigint,
  last_result_id uuid,
  last_run_at timestamptz,
  last_pass_at timestamptz,
  ssl_not_after timestamptz,
  overlap_count int NOT NULL DEFAULT 0,
  alert_state jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);
CREATE INDEX check_status_account ON check_status (account_id);

CREATE TABLE variables (
  account_id uuid NOT NULL REFERENCES accounts,
  key text NOT NULL,
  value text NOT NULL,
  locked boolean NOT NULL,
  secret boolean NOT NULL,
  version int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  PRIMARY KEY (account_id, key)
);

-- Runs
CREATE TABLE check_results (
  due_at timestamptz NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  revision int NOT NULL,
  location text NOT NULL,
  result_type text NOT NULL,
  outcome text NOT NULL,
  has_failures boolean NOT NULL,
  has_errors boolean NOT NULL,
  is_degraded boolean NOT NULL,
  over_max boolean NOT NULL,
  is_cancelled boolean NOT NULL DEFAULT false,
  attempts int NOT NULL,
  check_run_id bigint NOT NULL,
  sequence_id uuid NOT NULL,
  response_ms real,
  started_at timestamptz,
  stopped_at timestamptz,
  received_at timestamptz NOT NULL,
  late boolean NOT NULL,
  emulated boolean NOT NULL,
  clock_offset_ms real NOT NULL,
  timing_uncertainty_ms real NOT NULL,
  source text NOT NULL,
  cause text,
  body jsonb NOT NULL,
  PRIMARY KEY (due_at, id)
) PARTITION BY RANGE (due_at);
CREATE INDEX check_results_check ON check_results (check_id, due_at DESC, id DESC)
  INCLUDE (response_ms, has_failures, location, result_type);

CREATE TABLE pending_runs (
  attempt_id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  revision int NOT NULL,
  type text NOT NULL,
  due_at timestamptz NOT NULL,
  run_at timestamptz NOT NULL,
  location text NOT NULL,
  lane text NOT NULL,
  attempt int NOT NULL,
  sequence_id uuid NOT NULL,
  source text NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id)
);
CREATE INDEX pending_runs_check ON pending_runs (check_id);

CREATE TABLE coverage_gaps (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid,
  scope text NOT NULL,
  check_id uuid,
  location text,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  reason text NOT NULL
);
CREATE INDEX coverage_gaps_time ON coverage_gaps (to_at);

CREATE TABLE leadership (
  role text PRIMARY KEY,
  holder text NOT NULL,
  epoch bigint NOT NULL,
  expires_at timestamptz NOT NULL,
  watermark timestamptz
);

CREATE TABLE agent_keys (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  account_id uuid REFERENCES accounts,
  location text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  masked text NOT NULL,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

-- Alerting
CREATE TABLE alert_channels (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  type text NOT NULL,
  config jsonb NOT NULL,
  secrets jsonb NOT NULL,
  send_recovery boolean NOT NULL,
  send_failure boolean NOT NULL,
  send_degraded boolean NOT NULL,
  ssl_expiry boolean NOT NULL,
  ssl_expiry_threshold int NOT NULL,
  auto_subscribe boolean NOT NULL,
  version int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  deleted_at timestamptz,
  UNIQUE (account_id, id)
);

CREATE TABLE alert_subscriptions (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  channel_id int NOT NULL,
  check_id uuid,
  group_id int,
  activated boolean NOT NULL,
  FOREIGN KEY (account_id, channel_id) REFERENCES alert_channels (account_id, id),
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id),
  UNIQUE NULLS NOT DISTINCT (channel_id, check_id, group_id)
);
CREATE INDEX alert_subscriptions_check ON alert_subscriptions (check_id);

CREATE TABLE check_alerts (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  alert_type text NOT NULL,
  result_id uuid NOT NULL,
  result_due_at timestamptz NOT NULL,
  revision int NOT NULL,
  location text NOT NULL,
  response_ms real,
  error text,
  status_code int,
  reminder int NOT NULL DEFAULT 0,
  started_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX check_alerts_check ON check_alerts (check_id, created_at DESC);

-- The ledger and the outbox are one table: a row is the promise to tell one channel of one alert, and what became of it.
CREATE TABLE alert_notifications (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  alert_id uuid NOT NULL REFERENCES check_alerts,
  check_id uuid NOT NULL,
  check_name text NOT NULL,
  check_type text NOT NULL,
  channel_id int NOT NULL,
  channel_type text NOT NULL,
  alert_config jsonb NOT NULL,
  message jsonb NOT NULL,
  status text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  claimed_by text,
  claimed_until timestamptz,
  response_status int,
  notification_result text,
  due_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  decided_at timestamptz NOT NULL,
  queued_at timestamptz NOT NULL,
  accepted_at timestamptz,
  UNIQUE (alert_id, channel_id)
);
CREATE INDEX alert_notifications_due ON alert_notifications (next_attempt_at) WHERE status = 'IN_PROGRESS';
CREATE INDEX alert_notifications_account ON alert_notifications (account_id, queued_at DESC);
CREATE INDEX alert_notifications_check ON alert_notifications (check_id, queued_at DESC);
