import { connect as netConnect, Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startDeadline } from '../deadline.ts'
import { createEgress, type EgressOptions, type EgressTarget } from './egress.ts'
import { TargetError } from '../target-error.ts'
import { publicOnly, startTestServers, trusted } from '../../../test-support/servers.ts'

const servers = startTestServers()
afterEach(() => servers.closeAll())

async function attempt(options: EgressOptions, target: Partial<EgressTarget>, limitMs = 3000, policy = trusted) {
  const deadline = startDeadline(limitMs)
  try {
    return await createEgress(options).connect(
      { host: '127.0.0.1', port: 9, family: 'IPv4', ...target },
      policy,
      deadline,
    )
  } finally {
    deadline.close()
  }
}
const failure = async (promise: Promise<unknown>): Promise<TargetError> =>
  promise.then(
    () => {
      throw new Error('it connected')
    },
    (error: TargetError) => error,
  )

/** A socket that fails with an error of the operating system, without sending a packet. */
function failing(code: string): Socket {
  const socket = new Socket()
  queueMicrotask(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })))
  return socket
}

it('a literal address asks no name server, and the times are those of this attempt', async () => {
  const port = await servers.tcp(() => undefined)
  const resolve = () => Promise.reject(new Error('asked'))
  const startedAt = performance.now()
  const { socket, family, dnsMs, tcpMs } = await attempt({ resolve }, { port })
  const tookMs = performance.now() - startedAt
  socket.destroy()
  expect(family).toBe('IPv4')
  for (const ms of [dnsMs, tcpMs, tookMs - dnsMs - tcpMs]) expect(ms).toBeGreaterThanOrEqual(0)
})

it('a name without addresses and a silent name server are told apart', async () => {
  const empty = await failure(attempt({ resolve: () => Promise.resolve([]) }, { host: 'x.example' }))
  expect(empty).toMatchObject({ phase: 'dns', code: 'DNS_NO_DATA' })
  let asked: AbortSignal | undefined
  const silent = (_host: string, _family: string, { signal }: { signal: AbortSignal }) => {
    asked = signal
    return new Promise<string[]>(() => undefined)
  }
  const error = await failure(attempt({ resolve: silent }, { host: 'x.example' }, 30))
  expect(error).toMatchObject({ phase: 'dns', code: 'DNS_TIMEOUT' })
  expect(asked?.aborted).toBe(true)
})

it('a silent address uses up the attempt: no other is tried, and its socket is closed', async () => {
  const opened: Socket[] = []
  const connect = () => {
    const socket = new Socket()
    opened.push(socket)
    return socket
  }
  const resolve = () => Promise.resolve(['127.0.0.1', '127.0.0.2'])
  const error = await failure(attempt({ connect, resolve }, { host: 'x.example' }, 30))
  const message =
    'no connection to x.example (127.0.0.1:9) within 30 ms: it is down or unreachable, or a firewall drops the packets'
  expect(error).toMatchObject({ phase: 'tcp', code: 'ETIMEDOUT', message })
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
})

it('when every address refuses, the last refusal is told', async () => {
  const codes = ['ECONNREFUSED', 'EODD']
  const resolve = () => Promise.resolve(['127.0.0.1', '127.0.0.2'])
  const error = await failure(attempt({ connect: () => failing(codes.shift() ?? ''), resolve }, { host: 'x.example' }))
  expect(error).toMatchObject({ code: 'EODD', message: 'could not connect to x.example (127.0.0.2:9): connect EODD' })
})

it.each([
  ['ECONNREFUSED', '{peer} refused the connection: nothing listens on that port, or a firewall refuses'],
  ['ECONNRESET', '{peer} reset the connection: a firewall or load balancer on the way ended it'],
  [
    'ETIMEDOUT',
    'the operating system gave up connecting to {peer}: it is down or unreachable, or a firewall drops the packets',
  ],
  ['EHOSTUNREACH', 'no route to {peer}: the machine is down, or a router says that it cannot be reached'],
  ['ENETUNREACH', 'no network that leads to {peer}: a router says that it knows no way there'],
  ['EAFNOSUPPORT', 'this machine does not speak the protocol family of {peer}'],
  ['EODD', 'could not connect to {peer}: connect EODD'],
])('%s names the peer, its address, and the likely cause', async (code, text) => {
  const connect = () => failing(code)
  const literal = await failure(attempt({ connect }, { port: 7 }))
  expect(literal).toMatchObject({ phase: 'tcp', code, message: text.replace('{peer}', '127.0.0.1:7') })
  const resolve = () => Promise.resolve(['127.0.0.1'])
  const byName = await failure(attempt({ connect, resolve }, { host: 'shop.example', port: 7 }))
  expect(byName.message).toBe(text.replace('{peer}', 'shop.example (127.0.0.1:7)'))
})

it('a connection that is gone when it is looked at was closed at once', async () => {
  const connect = () => {
    const socket = new Socket()
    queueMicrotask(() => socket.emit('connect'))
    return socket
  }
  expect(await failure(attempt({ connect }, {}))).toMatchObject({ phase: 'tcp', code: 'ECONNRESET' })
})

it('only names asked over IPv6 fall back to IPv4, and only for want of IPv6', async () => {
  const port = await servers.tcp(() => undefined)
  const tries = async (target: Partial<EgressTarget>, code: string) => {
    const reached: string[] = []
    const resolve = (_: string, family: string) => Promise.resolve([family === 'IPv6' ? '::1' : '127.0.0.1'])
    const connect: EgressOptions['connect'] = (options) => {
      reached.push(options.host)
      return reached.length === 1 ? failing(code) : netConnect(options)
    }
    const result = await attempt({ resolve, connect }, { port, ...target }).catch((error: TargetError) => error.code)
    if (typeof result === 'object') result.socket.destroy()
    return { reached, result }
  }
  expect((await tries({ host: 'x.example', family: 'IPv6' }, 'ENETUNREACH')).reached).toEqual(['::1', '127.0.0.1'])
  const refused = await tries({ host: 'x.example', family: 'IPv6' }, 'ECONNREFUSED')
  expect(refused).toEqual({ reached: ['::1'], result: 'ECONNREFUSED' })
  const literal = await tries({ host: '::1', family: 'IPv6' }, 'ENETUNREACH')
  expect(literal).toEqual({ reached: ['::1'], result: 'ENETUNREACH' })
  const ipv4 = await tries({ host: 'x.example', family: 'IPv4' }, 'ENETUNREACH')
  expect(ipv4).toEqual({ reached: ['127.0.0.1'], result: 'ENETUNREACH' })
})

it('the time lost over IPv6 counts as look-up', async () => {
  const port = await servers.tcp(() => undefined)
  const resolve = (_: string, family: string) =>
    family === 'IPv6'
      ? Promise.reject(new TargetError('dns', 'DNS_NO_DATA', 'no IPv6'))
      : Promise.resolve(['127.0.0.1'])
  const startedAt = performance.now()
  const { socket, dnsMs } = await attempt({ resolve }, { host: 'x.example', port, family: 'IPv6' })
  socket.destroy()
  expect(dnsMs).toBeGreaterThan(0)
  expect(dnsMs).toBeLessThanOrEqual(performance.now() - startedAt)
})

it('a denied name is denied on its port only, and no other name is', async () => {
  const port = await servers.tcp(() => undefined)
  const resolve = () => Promise.resolve(['127.0.0.1'])
  const denying = (address: string, denied: number) => ({
    privateTargets: true,
    deniedTargets: [{ address, port: denied }],
  })
  const ends = async (host: string, policy: ReturnType<typeof denying>) => {
    const result = await attempt({ resolve }, { host, port }, 3000, policy).catch((error: TargetError) => error.code)
    if (typeof result === 'object') result.socket.destroy()
    return typeof result === 'object' ? 'connected' : result
  }
  expect(await ends('db.internal', denying('DB.internal', port))).toBe('EGRESS_DENIED')
  expect(await ends('db.internal', denying('db.internal', port + 1))).toBe('connected')
  expect(await ends('web.internal', denying('db.internal', port))).toBe('connected')
})

it('the addresses of a host are answered in order when all of them are allowed, else none', async () => {
  const addressesOf = async (addresses: string[], policy = trusted) => {
    const deadline = startDeadline(3000)
    const egress = createEgress({ resolve: () => Promise.resolve(addresses) })
    const asked = egress.addressesOf({ host: 'x.example', port: 9, family: 'IPv4' }, policy, deadline)
    return asked.catch((error: TargetError) => error.code).finally(() => deadline.close())
  }
  expect(await addressesOf(['127.0.0.2', '127.0.0.1'])).toEqual(['127.0.0.2', '127.0.0.1'])
  expect(await addressesOf(['127.0.0.1', '169.254.169.254'])).toBe('EGRESS_DENIED')
  expect(await addressesOf(['1.1.1.1', '10.0.0.1'], publicOnly)).toBe('EGRESS_DENIED')
})

it('a machine without IPv6 does not judge a name that has IPv6 addresses only', async () => {
  const interfaces = () => ({})
  const resolve = (_: string, family: string) =>
    family === 'IPv6'
      ? Promise.resolve(['2606:4700::9'])
      : Promise.reject(new TargetError('dns', 'DNS_NO_DATA', 'no IPv4'))
  const options = { resolve, interfaces, connect: () => failing('ENETUNREACH') }
  const error = await failure(attempt(options, { host: 'x.example', family: 'IPv6' }))
  expect(error).toMatchObject({ code: 'NO_NETWORK' })
  expect(error).not.toBeInstanceOf(TargetError)
})
