/** SQL of the account that operates the installation, as text: the one named at the first start, else the oldest. */
export const operatorAccountSql = `SELECT coalesce(
       (SELECT value #>> '{}' FROM installation WHERE key = 'operator_account'),
       (SELECT id::text FROM accounts ORDER BY created_at, id LIMIT 1)) AS id`
