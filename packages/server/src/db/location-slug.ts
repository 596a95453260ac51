/** SQL for the slug of a location, from the column with its id. A region is its own slug; deleted ones keep theirs. */
export const slugOf = (column: string): string =>
  `CASE WHEN ${column} LIKE 'pl\\_%' THEN (SELECT slug FROM private_locations WHERE id = substr(${column}, 4)::uuid) ELSE ${column} END`

/** SQL for the slugs of a column with a list of location ids. */
export const slugsOf = (column: string): string =>
  `CASE WHEN ${column} = '{}' THEN ${column} ELSE ARRAY(SELECT ${slugOf('l.id')} FROM unnest(${column}) WITH ORDINALITY AS l(id, nr) ORDER BY l.nr) END`
