-- Results that are something else than a plain pass or fail. With the index of all results it tells every run of a check
-- without reading its row. A plain result has no entry. It takes long where there are many results, so nothing else is locked.
CREATE INDEX check_results_exceptions ON check_results (check_id, due_at DESC, id DESC)
  INCLUDE (result_type, outcome, is_degraded, attempts) WHERE is_degraded OR outcome = 'unknown' OR attempts > 0;
