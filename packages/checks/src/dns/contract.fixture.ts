import type { DnsEvidence } from './evidence.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', request: { query: 'shop.example', recordType: 'A' } })

/** What a run sees when all is well. */
export const goodEvidence: DnsEvidence = {
  request: { query: 'shop.example', recordType: 'A', nameServer: '192.0.2.53', port: 53, protocol: 'UDP' },
  response: {
    answer: {
      Status: 'NOERROR',
      TC: false,
      RD: true,
      RA: true,
      AD: false,
      CD: false,
      Question: [{ name: 'shop.example', type: 'A' }],
      Answer: [{ name: 'shop.example', type: 'A', TTL: 300, data: '192.0.2.1' }],
    },
    text: 'shop.example 300 IN A 192.0.2.1',
    truncated: false,
    remoteAddress: '192.0.2.53',
    timingPhases: { connection: 0, answer: 12.5, total: 12.5 },
  },
}
