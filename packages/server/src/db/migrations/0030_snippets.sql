-- Pieces of script that checks share, by name.
CREATE TABLE snippets (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  script text NOT NULL,
  version int NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz,
  UNIQUE (account_id, name)
);

-- Which checks use a snippet.
CREATE INDEX checks_setup_snippet ON checks (account_id, ((definition->>'setupSnippetId')::bigint))
  WHERE definition->>'setupSnippetId' IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX checks_tear_down_snippet ON checks (account_id, ((definition->>'tearDownSnippetId')::bigint))
  WHERE definition->>'tearDownSnippetId' IS NOT NULL AND deleted_at IS NULL;
