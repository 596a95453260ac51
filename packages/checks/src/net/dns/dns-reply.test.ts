import { encode, type Answer } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { headerBytes, questionMessage, type QuestionType } from './dns-message.ts'
import { readReply } from './dns-reply.ts'

const name = 'Shop.example'
const asked = questionMessage({ name, type: 'A' }, { random: () => 0, edns: true })
const wire = asked.bytes.subarray(headerBytes, headerBytes + name.length + 2)

const replyWith = (answers: Answer[]) =>
  encode({
    type: 'response',
    id: 0,
    flags: 0x01b0,
    questions: [{ type: 'A', name: 'sHOP.EXAMPLE', class: 'IN' }],
    answers,
  })

const read = (message: Buffer) => readReply(message, { name, wire })

/** The record of these bytes, named as the question is. */
function rawRecord(type: number, data: Buffer): Buffer {
  const message = replyWith([])
  message.writeUInt16BE(1, 6)
  const fixed = Buffer.from([
    0xc0,
    headerBytes,
    type >> 8,
    type & 0xff,
    0,
    1,
    0,
    0,
    0,
    60,
    data.length >> 8,
    data.length & 0xff,
  ])
  return Buffer.concat([message, fixed, data])
}

const dataOf = (message: Buffer) => read(message).records.map(({ type, data }) => [type, data])

describe('a record in presentation form', () => {
  it.each([
    ['A', '192.0.2.1', '192.0.2.1'],
    ['AAAA', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['CNAME', 'edge.example', 'edge.example'],
    ['NS', 'ns1.example', 'ns1.example'],
    ['PTR', 'host.example', 'host.example'],
    ['MX', { preference: 10, exchange: 'mail.example' }, '10 mail.example'],
    ['TXT', ['v=spf1 include:', 'a.example "-all"'], 'v=spf1 include:a.example "-all"'],
    ['TXT', ['grüße\n'], 'grüße\\010'],
    [
      'SOA',
      { mname: 'ns1.example', rname: 'a\\.b.example', serial: 4294967295, refresh: 2, retry: 3, expire: 4, minimum: 5 },
      'ns1.example a\\.b.example 4294967295 2 3 4 5',
    ],
    ['SRV', { priority: 1, weight: 2, port: 5060, target: 'sip.example' }, '1 2 5060 sip.example'],
    ['CAA', { flags: 128, tag: 'issue', value: 'ca.example; a="b"' }, '128 issue "ca.example; a=\\"b\\""'],
  ])('of type %s with %j is %s', (type, data, text) => {
    expect(dataOf(replyWith([{ type, name, data, ttl: 60 } as Answer]))).toEqual([[type, text]])
  })

  it('of type HTTPS has its parameters by name', () => {
    const parameter = (key: number, ...value: number[]) => [0, key, 0, value.length, ...value]
    const data = Buffer.from([
      0,
      1,
      0,
      ...parameter(0, 0, 1, 0, 4),
      ...parameter(1, 2, 104, 50, 2, 104, 51),
      ...parameter(2),
      ...parameter(3, 1, 187),
      ...parameter(4, 192, 0, 2, 1, 192, 0, 2, 2),
      ...parameter(5, 1, 2, 3),
      ...parameter(6, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
      ...parameter(9, 97, 0),
    ])
    const text =
      '1 . mandatory=alpn,ipv4hint alpn="h2,h3" no-default-alpn port=443 ipv4hint=192.0.2.1,192.0.2.2 ech="AQID" ' +
      'ipv6hint=2001:db8::1 key9="a\\000"'
    expect(dataOf(rawRecord(65, data))).toEqual([['HTTPS', text]])
    const alias = Buffer.from([0, 0, 3, 99, 100, 110, 0])
    expect(dataOf(rawRecord(65, alias))).toEqual([['HTTPS', '0 cdn']])
  })

  it('of an unknown type is what it weighs and holds', () => {
    expect(dataOf(rawRecord(4711, Buffer.from([1, 255])))).toEqual([['TYPE4711', '\\# 2 01ff']])
    expect(dataOf(rawRecord(4711, Buffer.alloc(0)))).toEqual([['TYPE4711', '\\# 0']])
  })

  it('escapes in names what is not to be seen or means something', () => {
    const label = Buffer.from([5, 97, 46, 92, 0, 255, 0])
    expect(dataOf(rawRecord(5, label))).toEqual([['CNAME', 'a\\.\\\\\\000\\255']])
  })

  it('names what points to the question as the check does', () => {
    const mail = Buffer.from([0, 10, 4, 109, 97, 105, 108, 0xc0, headerBytes])
    const { text, flags } = read(rawRecord(15, mail))
    expect(text).toBe('Shop.example 60 IN MX 10 mail.Shop.example')
    expect(flags).toEqual({ TC: false, RD: true, RA: true, AD: true, CD: true })
  })
})

describe('a record that cannot be read is malformed:', () => {
  const records: [what: string, type: number, data: number[]][] = [
    ['an IPv6 address of 4 bytes', 28, [1, 2, 3, 4]],
    ['a name with more after it', 5, [1, 97, 0, 9]],
    ['a name beyond its data', 5, [9, 97]],
    ['a text longer than its data', 16, [9, 97]],
    ['an empty mail exchange', 15, []],
    ['an authority without numbers', 6, [0, 0]],
    ['a service without target', 33, [0, 1, 0, 1, 0, 1]],
    ['a certification without tag', 257, [0]],
    ['a certification with a long tag', 257, [0, 9, 97]],
    ['an HTTPS parameter beyond its data', 65, [0, 1, 0, 0, 1, 0, 9]],
    ['an HTTPS port of one byte', 65, [0, 1, 0, 0, 3, 0, 1, 1]],
    ['an HTTPS protocol without name', 65, [0, 1, 0, 0, 1, 0, 1, 0]],
  ]
  it.each(records)('%s', (_, type, data) => {
    expect(() => read(rawRecord(type, Buffer.from(data)))).toThrow(
      expect.objectContaining({ name: 'MalformedReply' }) as Error,
    )
  })

  it('whatever is cut off or changed, it is read or malformed, and never another error', () => {
    const whole = replyWith([
      { type: 'MX', name, data: { preference: 1, exchange: 'mail.shop.example' }, ttl: 1 },
      { type: 'SOA', name, data: { mname: 'ns.example', rname: 'a.example' }, ttl: 1 },
      { type: 'TXT', name, data: ['one', 'two'], ttl: 1 },
    ] as Answer[])
    const outcome = (message: Buffer) => {
      try {
        return read(message).status.length > 0 ? 'read' : 'without status'
      } catch (error) {
        return error instanceof Error ? error.name : 'no error'
      }
    }
    const seen = new Set<string>()
    for (let at = headerBytes + wire.length + 4; at < whole.length; at += 1) {
      seen.add(outcome(whole.subarray(0, at)))
      for (const byte of [0, 0x3f, 0x40, 0xc0, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = byte
        seen.add(outcome(changed))
      }
    }
    expect([...seen].toSorted()).toEqual(['MalformedReply', 'read'])
  })
})

it('every type of question is asked by its number', () => {
  const numberOf = (type: QuestionType) =>
    questionMessage({ name: 'a', type }, { random: () => 0, edns: false }).bytes.readUInt16BE(headerBytes + 3)
  expect((['A', 'AAAA', 'HTTPS', 'CAA', 'PTR'] as const).map(numberOf)).toEqual([1, 28, 65, 257, 12])
})
