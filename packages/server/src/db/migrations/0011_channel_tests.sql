-- Test messages are not in the ledger. One that was accepted shows that the channel works again.
ALTER TABLE alert_channels ADD COLUMN test_accepted_at timestamptz;
