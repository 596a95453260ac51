-- Files that belong to results, such as captures; their content is in the asset store. They go with the day of their result.
CREATE TABLE result_assets (
  result_id uuid NOT NULL,
  name text NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  check_id uuid NOT NULL,
  -- Of the run: its last result shows what was found out about an earlier attempt.
  sequence_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  type text NOT NULL,
  content_type text NOT NULL,
  bytes int NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (result_id, name)
);
CREATE INDEX result_assets_account ON result_assets (account_id) INCLUDE (bytes);
CREATE INDEX result_assets_run ON result_assets (sequence_id);
CREATE INDEX result_assets_due ON result_assets (due_at);
