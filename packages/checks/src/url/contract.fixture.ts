/**
 * The smallest check a user can send, with a port of this machine as the target. For the suite over all check types.
 */
export const leastCheck = (port: number, host = '127.0.0.1') => ({
  name: 'least',
  request: { url: `http://${host}:${port}/` },
})

/** What a healthy target sends, and the status code that follows from it. */
export const goodAnswer = {
  text: 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
  statusCode: 204,
}
