/** Where the content of a file of a result is read. */
export const assetUrl = (
  baseUrl: string,
  { checkId, resultId }: { checkId: string; resultId: string },
  name: string,
): string => `${baseUrl}/v1/check-results/${checkId}/${resultId}/assets/${name}`
