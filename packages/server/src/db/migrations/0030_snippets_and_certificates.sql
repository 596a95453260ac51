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

-- Certificates that checks present to a host. The key is sealed; of two for a host the newer one counts.
CREATE TABLE client_certificates (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  host text NOT NULL,
  cert text NOT NULL,
  ca text,
  key text NOT NULL,
  subject text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- Breaks ties between certificates of one moment.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  deleted_at timestamptz
);
CREATE INDEX client_certificates_account ON client_certificates (account_id, created_at DESC, seq DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX client_certificates_deleted ON client_certificates (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER note_client_certificates_insert AFTER INSERT ON client_certificates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '')
  EXECUTE FUNCTION note_change('client-certificates', 'id', 'true');
CREATE TRIGGER note_client_certificates_update AFTER UPDATE ON client_certificates
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('vedette.server', true) <> '')
  EXECUTE FUNCTION note_change('client-certificates', 'id', 'true');
