/** SQL of the account that operates the installation, as text: the one named at the first start, else the oldest. */
export const operatorAccountSql = `SELECT coalesce(
       (SELECT value #>> '{}' FROM installation WHERE key = 'operator_account'),
       (SELECT id::text FROM accounts ORDER BY created_at, id LIMIT 1)) AS id`

/** The canary belongs to the installation: an account of its own that has no members, so that nobody's lists show it. */
export const canaryAccount = '00000000-0000-4000-8000-00000000ca00'

/** SQL over accounts under this name: whether people may belong to it. */
export const ofUsers = (accounts: string): string => `${accounts}.id <> '${canaryAccount}'`
