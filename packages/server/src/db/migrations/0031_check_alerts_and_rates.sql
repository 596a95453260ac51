-- The alerts of an account and of a check, newest first.
CREATE INDEX check_alerts_account ON check_alerts (account_id, created_at DESC, seq DESC) WHERE check_id IS NOT NULL;
DROP INDEX check_alerts_check;
CREATE INDEX check_alerts_check ON check_alerts (check_id, created_at DESC, seq DESC);
