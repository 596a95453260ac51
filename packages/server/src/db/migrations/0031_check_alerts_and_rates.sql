-- The alerts of an account and of a check, newest first.
CREATE INDEX check_alerts_account ON check_alerts (account_id, created_at DESC, seq DESC) WHERE check_id IS NOT NULL;
DROP INDEX check_alerts_check;
CREATE INDEX check_alerts_check ON check_alerts (check_id, created_at DESC, seq DESC);

-- Requests of callers in the present window, counted together by servers on one database. They may be lost in a crash.
CREATE UNLOGGED TABLE rate_windows (
  key text PRIMARY KEY,
  requests int NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX rate_windows_ended ON rate_windows (ends_at);
