import { request } from 'node:http'

const requests = 400

/** CPU of this process for a plain request on a new connection: the least that any HTTP check can cost. */
export async function bareRequestMs(port: number): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < requests; n++) await bareRequest(port)
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1000 / requests
}

function bareRequest(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/bare', agent: false }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    call.on('error', reject)
    call.end()
  })
}
