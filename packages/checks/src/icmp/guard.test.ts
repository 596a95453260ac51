import { expect, it } from 'vitest'
import { systemClock } from '@vedette/wire'
import type { EgressPolicy } from '../core/check-type.ts'
import { createEgress, type EgressOptions } from '../net/egress/egress.ts'
import { TargetError } from '../net/target-error.ts'
import { publicOnly, trusted } from '../../test-support/servers.ts'
import type { Answer } from '../net/packets/answer.ts'
import { completeIcmpRequest } from './request-shape.ts'
import { createIcmpRun } from './run.ts'

const connectsNever = () => {
  throw new Error('A ping opens no connection')
}

/** Runs with a guard that knows names, and with pings that go nowhere: even a broken guard sends nothing. */
async function runTo(
  hostname: string,
  policy: EgressPolicy,
  more: {
    resolve?: EgressOptions['resolve']
    ipFamily?: 'IPv4' | 'IPv6'
    answer?: Answer
    interfaces?: EgressOptions['interfaces']
  } = {},
) {
  const { resolve = () => Promise.reject(new Error('not a name')), ipFamily = 'IPv4', interfaces = () => ({}) } = more
  const reached: string[] = []
  const run = createIcmpRun({
    egress: createEgress({ connect: connectsNever, resolve, interfaces }),
    interfaces,
    ping({ address, count }) {
      reached.push(address)
      return Promise.resolve(Array<Answer>(count).fill(more.answer ?? { kind: 'reply', rttMs: 1, ttl: 64 }))
    },
  })
  const request = completeIcmpRequest({ hostname, ipFamily, pingCount: 2 })
  const seen = await run(
    { request },
    {
      signal: new AbortController().signal,
      deadline: performance.now() + 5000,
      egress: policy,
      variables: [],
      clock: systemClock,
      random: Math.random,
    },
  )
  return { ...seen, reached }
}

const names =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses)

it.each([
  ['169.254.169.254', trusted],
  ['0xa9fea9fe', trusted],
  ['[::ffff:169.254.169.254]', trusted],
  ['64:ff9b::a9fe:a9fe', trusted],
  ['0.0.0.0', trusted],
  ['255.255.255.255', trusted],
  ['224.0.0.1', trusted],
  ['fe80::1', trusted],
  ['ff02::1', trusted],
  ['127.0.0.1', publicOnly],
  ['2130706433', publicOnly],
  ['::1', publicOnly],
  ['::ffff:10.0.0.1', publicOnly],
  ['192.168.1.1', publicOnly],
])('no packet goes to %s, and the refusal says why', async (hostname, policy) => {
  const { reached, error, evidence, internalError } = await runTo(hostname, policy)
  expect(reached).toEqual([])
  expect(internalError).toBeUndefined()
  expect(evidence?.response).toBeUndefined()
  expect(error).toMatchObject({ phase: 'egress', code: 'EGRESS_DENIED', network: false })
  expect(error?.text).toMatch(/^Egress guard: not allowed to reach \S+: .+ are (never reached|not reached from here)$/)
})

it('a name with one address that is not allowed is refused as a whole', async () => {
  const { reached, error } = await runTo('shop.example', publicOnly, { resolve: names('93.184.216.34', '10.0.0.1') })
  expect(reached).toEqual([])
  expect(error?.text).toBe(
    'Egress guard: not allowed to reach shop.example (10.0.0.1): private addresses (10.0.0.0/8) are not reached from here',
  )
})

it('the address that was judged is pinged: the name is looked up once', async () => {
  let asked = 0
  const resolve = () => {
    asked += 1
    return Promise.resolve([asked === 1 ? '93.184.216.34' : '127.0.0.1'])
  }
  const { reached, evidence } = await runTo('shop.example', publicOnly, { resolve })
  expect([reached, asked]).toEqual([['93.184.216.34'], 1])
  expect(evidence?.response).toMatchObject({ hostname: 'shop.example', resolvedIp: '93.184.216.34' })
})

it('IPv4 written as IPv6 is judged as written and pinged as IPv4', async () => {
  const { reached, evidence } = await runTo('::ffff:10.1.2.3', trusted)
  expect(reached).toEqual(['10.1.2.3'])
  expect(evidence?.response).toMatchObject({ resolvedIp: '10.1.2.3', ipFamily: 'IPv4' })
})

it('a name without IPv6 address is pinged over IPv4, also where IPv6 leads nowhere', async () => {
  const withoutIPv6 = (_: string, family: string) =>
    family === 'IPv6'
      ? Promise.reject(new TargetError('dns', 'DNS_NO_DATA', 'no IPv6'))
      : Promise.resolve(['93.184.216.34'])
  const { reached, evidence } = await runTo('shop.example', publicOnly, { resolve: withoutIPv6, ipFamily: 'IPv6' })
  expect(reached).toEqual(['93.184.216.34'])
  expect(evidence?.response?.ipFamily).toBe('IPv4')

  const resolve = (_: string, family: string) =>
    Promise.resolve(family === 'IPv6' ? ['2606:4700::1'] : ['93.184.216.34'])
  const none = await runTo('shop.example', publicOnly, {
    resolve,
    ipFamily: 'IPv6',
    answer: { kind: 'unsent', code: 'ENETUNREACH' },
  })
  expect(none.reached).toEqual(['2606:4700::1', '93.184.216.34'])
  expect(none.internalError).toMatchObject({
    code: 'NO_NETWORK',
    text: 'No packet to 93.184.216.34 was possible: this machine has no network that leads to IPv4 addresses like it (ENETUNREACH)',
  })
})

it('a name that does not exist fails', async () => {
  const resolve = () => Promise.reject(new TargetError('dns', 'DNS_NXDOMAIN', 'shop.example does not exist'))
  const { reached, error } = await runTo('shop.example', trusted, { resolve })
  expect([reached, error?.phase, error?.code]).toEqual([[], 'dns', 'DNS_NXDOMAIN'])
  expect((await runTo('no host', trusted)).error?.code).toBe('DNS_INVALID_NAME')
})
