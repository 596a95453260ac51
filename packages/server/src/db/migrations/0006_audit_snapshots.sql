-- What a write changed: the thing before and after, as the API answers it, with secrets masked.
ALTER TABLE audit_log ADD COLUMN before jsonb, ADD COLUMN after jsonb;
