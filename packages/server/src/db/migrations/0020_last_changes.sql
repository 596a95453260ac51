-- The last change of a check and by whom, in one look-up. Actions that change nothing of it are left out.
CREATE INDEX audit_log_changes_of_checks ON audit_log (resource_id, id DESC)
  WHERE resource = 'checks' AND action IN ('create', 'update', 'restore');
