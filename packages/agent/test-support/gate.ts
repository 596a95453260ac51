import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server whose answers wait until the test sends them, to hold runs at a known point. */
export async function givenGate() {
  const waiting: ServerResponse[] = []
  const gate = createServer((_, response) => {
    waiting.push(response)
    gate.emit('arrived')
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`,
    arrivals: async (count: number) => {
      while (waiting.length < count) await once(gate, 'arrived')
    },
    letOne: () => waiting.shift()?.end(),
    open: () => {
      for (const response of waiting.splice(0)) response.end()
      gate.close()
    },
  }
}
