/**
 * The smallest check a user can send, with a port of this machine as the target. For the suite over all check types.
 */
export const leastCheck = (port: number, host = '127.0.0.1') => ({
  name: 'least',
  request: { hostname: host, port, assertions: [{ source: 'RESPONSE_DATA', comparison: 'NOT_EMPTY' }] },
})

/** What a healthy target sends, and the status code that follows from it. */
export const goodAnswer = { text: '220 ready\r\n', statusCode: null }
