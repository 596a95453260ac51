import { Agent, request } from 'node:http'

/** One call of an API. */
export interface Call {
  method: 'GET' | 'PUT'
  path: string
  body?: object
}

/** Makes calls over connections that stay open, so that neither side counts what opening them costs. */
export interface Caller {
  /** Returns how long the answer took until its last byte, in milliseconds. Throws for any answer but 200. */
  send(call: Call): Promise<number>
  close(): void
}

export function callerOf(url: string, headers: () => Record<string, string>): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return {
    send: ({ method, path, body }) =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body)
        const typed = text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }
        const began = performance.now()
        const sent = request(`${url}${path}`, { method, agent, headers: { ...headers(), ...typed } }, (response) => {
          let refusal = ''
          response.on('data', (bytes: Buffer) => {
            if (response.statusCode !== 200) refusal += bytes.toString()
          })
          response.on('end', () => {
            if (response.statusCode === 200) resolve(performance.now() - began)
            else reject(new Error(`${method} ${path} was answered with ${response.statusCode}: ${refusal}`))
          })
        })
        sent.on('error', reject)
        sent.end(text)
      }),
    close: () => agent.destroy(),
  }
}
