-- A variable that was deleted can be restored for a day. Its value stays sealed until then.
ALTER TABLE variables ADD COLUMN deleted_at timestamptz;
