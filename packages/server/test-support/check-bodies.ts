/** What a user must send of a check besides its name, by the last part of the address of its type. */
export const checkBodies = {
  api: { request: { url: 'https://shop.example' } },
  url: { request: { url: 'https://shop.example' } },
  tcp: { request: { hostname: 'db.example', port: 5432 } },
  heartbeat: { heartbeat: { period: 1, periodUnit: 'days', grace: 0, graceUnit: 'days' } },
  dns: { request: { query: 'shop.example', recordType: 'MX' } },
  ssl: { request: { sslConfig: { hostname: 'shop.example' } } },
  icmp: { request: { hostname: 'shop.example' } },
  browser: { script: 'done()', sslCheckDomain: 'shop.example' },
  multistep: { script: 'done()' },
  playwright: { codeBundlePath: 'bundles/shop.tgz' },
  agentic: { prompt: 'Say whether https://shop.example works.' },
} satisfies Record<string, Record<string, unknown>>
export type CheckPath = keyof typeof checkBodies
