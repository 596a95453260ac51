/**
 * SQL for a location as people write it, from the column that holds its id: the slug of a private location, a region as
 * it is. A deleted location keeps its slug.
 */
export const slugOf = (column: string): string =>
  `CASE WHEN ${column} LIKE 'pl\\_%' THEN (SELECT slug FROM private_locations WHERE id = substr(${column}, 4)::uuid) ELSE ${column} END`

/** The same for a column with a list of them. */
export const slugsOf = (column: string): string =>
  `CASE WHEN ${column} = '{}' THEN ${column} ELSE ARRAY(SELECT ${slugOf('l.id')} FROM unnest(${column}) WITH ORDINALITY AS l(id, nr) ORDER BY l.nr) END`
