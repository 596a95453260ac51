-- When a check that is muted for a while is not muted any more; null: it is muted for good, or not at all.
ALTER TABLE checks ADD COLUMN muted_until timestamptz;
