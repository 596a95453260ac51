-- A server of the version before may be writing: what stores results, most of all, locks these in this order.
LOCK TABLE check_status, checks, check_alerts IN ACCESS EXCLUSIVE MODE;

-- Checks that a check depends on: while one of them fails, the alerts that would open its trouble are held back.
CREATE TABLE check_parents (
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  parent_id uuid NOT NULL CHECK (parent_id <> check_id),
  -- Its place in the list, as it was sent.
  nr int NOT NULL,
  PRIMARY KEY (check_id, parent_id),
  FOREIGN KEY (account_id, check_id) REFERENCES checks (account_id, id),
  FOREIGN KEY (account_id, parent_id) REFERENCES checks (account_id, id)
);
CREATE INDEX check_parents_parent ON check_parents (account_id, parent_id);

-- The parent for which an alert that is due is held back now.
ALTER TABLE check_status ADD COLUMN held_by uuid;
CREATE INDEX check_status_held ON check_status (check_id) WHERE held_by IS NOT NULL;
-- The parent for which nobody was notified of the alert.
ALTER TABLE check_alerts ADD COLUMN held_by uuid;

-- Channels that know of a trouble of a check through a group that it has left since: they are notified of its end. No foreign
-- keys: ingest must not wait for a check that somebody changes.
CREATE TABLE check_parted_channels (
  account_id uuid NOT NULL,
  check_id uuid NOT NULL,
  channel_id int NOT NULL,
  line text NOT NULL CHECK (line IN ('state', 'watch')),
  PRIMARY KEY (check_id, channel_id, line)
);
