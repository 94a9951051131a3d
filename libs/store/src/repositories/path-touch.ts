/**
 * SQL: whether two paths touch, being the same or one a folder above the other. starts_with, not LIKE: % and _ in a
 * path are no wildcards.
 */
export const touches = (one: string, other: string): string =>
  `(${one} = ${other} OR starts_with(${one}, ${other} || '/') OR starts_with(${other}, ${one} || '/'))`;

/**
 * SQL: the first commits of the project recorded after decision `d` that touch one of its paths. Staleness is computed
 * and never written (D7).
 */
export const staleCommitsSql = (limit: number): string => `
  SELECT c.sha, c.build_session_id, c.recorded_at FROM build_session_commit c
  JOIN build_session s ON s.workspace_id = c.workspace_id AND s.id = c.build_session_id
  WHERE c.workspace_id = d.workspace_id AND s.project_id = d.project_id AND c.recorded_at > d.appended_at
    AND EXISTS (SELECT FROM unnest(c.paths) p, unnest(d.paths) q WHERE ${touches('p', 'q')})
  ORDER BY c.recorded_at, c.sha LIMIT ${limit}`;
