-- What a check looks at, as one text that is searched: the same text as `target` of its check type gives.
ALTER TABLE checks ADD COLUMN target text NOT NULL DEFAULT '';

UPDATE checks SET target = coalesce(definition #>> '{request,url}', '') WHERE type = 'API';

UPDATE checks SET target =
  CASE WHEN definition #>> '{request,hostname}' LIKE '%:%' AND definition #>> '{request,hostname}' NOT LIKE '[%'
    THEN '[' || (definition #>> '{request,hostname}') || ']'
    ELSE coalesce(definition #>> '{request,hostname}', '') END
  || ':' || coalesce(definition #>> '{request,port}', '')
WHERE type = 'TCP';
