import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServers, trusted } from '../../../test-support/servers.ts'
import { startDeadline } from '../deadline.ts'
import { createHttpEngine } from '../http/http.ts'
import type { HttpProxy } from '../http/proxy.ts'
import type { Contact } from './contact.ts'
import { createEgress } from './egress.ts'

const servers = startTestServers()
const seen: number[] = []
let port: number

beforeAll(async () => {
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/there' })
    response.end()
  })
  server.on('connection', (socket: Socket) => void seen.push(socket.remotePort ?? 0))
  port = await servers.adopt(server)
})
afterAll(() => servers.closeAll())

async function contactsOf(path: string, at: number, proxy?: HttpProxy): Promise<Contact[]> {
  const contacts: Contact[] = []
  const tried = (contact: Contact) => void contacts.push(contact)
  const engine = createHttpEngine({ egress: createEgress(), now: Date.now, proxy, tried })
  const url = new URL(`http://127.0.0.1:${at}${path}`)
  const deadline = startDeadline(3000)
  await engine.send(
    { method: 'GET', url, headers: [], body: undefined, family: 'IPv4', followRedirects: true, skipSSL: false },
    trusted,
    deadline,
  )
  deadline.close()
  return contacts
}

test('each connection to a target is told with both of its ends and its time', async () => {
  seen.length = 0
  const before = Date.now()
  const contacts = await contactsOf('/moved', port)
  expect(contacts).toMatchObject([
    { host: '127.0.0.1', address: '127.0.0.1', port },
    { host: '127.0.0.1', address: '127.0.0.1', port },
  ])
  expect(contacts.map(({ localPort }) => localPort)).toEqual(seen)
  for (const { from, by } of contacts) {
    expect(from).toBeGreaterThanOrEqual(before)
    expect(by).toBeGreaterThanOrEqual(from)
  }
})

test('one that is refused is told too, and none that leads to a proxy or was not allowed', async () => {
  expect(await contactsOf('/', 1)).toMatchObject([{ address: '127.0.0.1', port: 1 }])
  const proxy = { host: '127.0.0.1', port, secure: false, authorization: undefined }
  expect(await contactsOf('/', port, proxy)).toEqual([])
  const denied: Contact[] = []
  const deadline = startDeadline(3000)
  const target = {
    host: '169.254.169.254',
    port: 80,
    family: 'IPv4' as const,
    tried: (contact: Contact) => void denied.push(contact),
  }
  await expect(createEgress().connect(target, trusted, deadline)).rejects.toMatchObject({ code: 'EGRESS_DENIED' })
  deadline.close()
  expect(denied).toEqual([])
})
