/** A name of the API as words within a sentence: `STATUS_CODE` is "status code", `JSON_BODY` is "JSON body". */
export const readableName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bjson\b/, 'JSON')
