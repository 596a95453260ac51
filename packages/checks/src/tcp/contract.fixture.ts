/** The least a user sends, with a port of this machine as the target. For the suite over all check types. */
export const leastCheck = (port: number) => ({
  name: 'least',
  request: { hostname: '127.0.0.1', port, assertions: [{ source: 'RESPONSE_DATA', comparison: 'NOT_EMPTY' }] },
})

/** What a target that is well says to whoever connects, and the status code that follows from it. */
export const goodAnswer = { text: '220 ready\r\n', statusCode: null }
