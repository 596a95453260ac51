import type { Database } from '../../src/db/database.ts'
import type { SentStatement } from '../recorded-statements.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: PlanNode[]
}

/** A table that is read from end to end, itself or through an index that narrows nothing down. */
export interface Scan {
  table: string
  /** How it is read. */
  by: string
}

/** What a statement reads from end to end even where the planner may use no other way only if there is none. */
export async function scansOf(db: Database, { text, values }: SentStatement): Promise<Scan[]> {
  const plan = await db.transaction(async (client) => {
    await client.query('SET LOCAL enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, values)
    return rows[0]?.['QUERY PLAN'][0].Plan
  })
  if (plan === undefined) throw new Error(`There is no plan of: ${text}`)
  return [...scansIn(plan, undefined)]
}

function* scansIn(node: PlanNode, table: string | undefined): Generator<Scan> {
  const own = node['Relation Name'] ?? table
  const type = node['Node Type']
  if (type === 'Seq Scan' && own !== undefined) yield { table: parentOf(own), by: 'Seq Scan' }
  if (own !== undefined && node['Index Name'] !== undefined && node['Index Cond'] === undefined)
    yield { table: parentOf(own), by: `${type} of all of ${node['Index Name']}` }
  for (const part of node.Plans ?? []) yield* scansIn(part, own)
}

/** Partitions are named after their table. */
const parentOf = (table: string): string => table.replace(/^check_results_.*$/, 'check_results')
