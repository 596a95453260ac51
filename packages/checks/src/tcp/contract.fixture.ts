/**
 * The smallest check a user can send, with a port of this machine as the target. For the suite over all check types.
 */
export const leastCheck = (port: number) => ({
  name: 'least',
  request: { hostname: '127.0.0.1', port, assertions: [{ source: 'RESPONSE_DATA', comparison: 'NOT_EMPTY' }] },
})

/** What a healthy target sends, and the status code that follows from it. */
export const goodAnswer = { text: '220 ready\r\n', statusCode: null }
