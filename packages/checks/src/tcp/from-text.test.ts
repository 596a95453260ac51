import { expect, test } from 'vitest'
import { tcpCheckFromText } from './from-text.ts'

test('a host with a port is read, also as an address and with an IPv6 address', () => {
  expect(tcpCheckFromText('db.example.com:5432')).toEqual({
    name: 'db.example.com:5432',
    values: { 'request.hostname': 'db.example.com', 'request.port': 5432 },
  })
  expect(tcpCheckFromText('tcp://10.0.0.1:80/')?.values).toEqual({ 'request.hostname': '10.0.0.1', 'request.port': 80 })
  expect(tcpCheckFromText('[::1]:22')?.values).toEqual({ 'request.hostname': '::1', 'request.port': 22 })
})

test('what has no port, or an impossible one, is nothing', () => {
  for (const text of ['db.example.com', 'db:99999', 'db:0', 'https://db:5432/x', 'a b:1'])
    expect(tcpCheckFromText(text), text).toBeUndefined()
})
