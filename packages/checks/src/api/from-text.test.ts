import { expect, test } from 'vitest'
import { apiCheckFromText } from './from-text.ts'

const values = (text: string) => apiCheckFromText(text)?.values

test('an address is a request by GET, named after its host', () => {
  expect(apiCheckFromText(' https://shop.example.com/health?x=1 ')).toMatchObject({
    name: 'shop.example.com',
    values: {
      'request.url': 'https://shop.example.com/health?x=1',
      'request.method': 'GET',
      'request.bodyType': 'NONE',
    },
  })
  expect(values('shop.example.com/health')?.['request.url']).toBe('https://shop.example.com/health')
})

test('what is no address is nothing', () => {
  for (const text of ['', 'hello', 'hello world.', 'ftp://a.example/', 'curl', 'curl --version', '2.5', 'https://'])
    expect(apiCheckFromText(text), text).toBeUndefined()
})

test('a command as browsers copy it is read whole', () => {
  const command = String.raw`curl 'https://shop.example.com/api/cart' \
    -H 'accept: application/json' \
    -H 'content-type: application/json' \
    -b 'session=abc' \
    --data-raw $'{"name":"it\'s","line":"a\nb","sign":"\u0021"}' \
    --compressed --insecure`
  expect(values(command)).toEqual({
    'request.method': 'POST',
    'request.url': 'https://shop.example.com/api/cart',
    'request.headers': [
      { key: 'accept', value: 'application/json', locked: false },
      { key: 'content-type', value: 'application/json', locked: false },
      { key: 'cookie', value: 'session=abc', locked: false },
    ],
    'request.body': '{"name":"it\'s","line":"a\nb","sign":"!"}',
    'request.bodyType': 'JSON',
    'request.skipSSL': true,
  })
})

test('short, long and joined options mean the same', () => {
  const wanted = { 'request.method': 'PUT', 'request.url': 'https://a.example/', 'request.body': 'x=1' }
  expect(values('curl -XPUT -d x=1 https://a.example/')).toMatchObject(wanted)
  expect(values('curl --request=PUT --data "x=1" --url https://a.example/')).toMatchObject(wanted)
  expect(values('curl -s -o /dev/null -X PUT https://a.example/ -d x=1')).toMatchObject(wanted)
})

test('user and password become basic authentication; data of a GET goes into the address', () => {
  expect(values('curl -u "ann:a:b" https://a.example/')?.['request.basicAuth']).toEqual({
    username: 'ann',
    password: 'a:b',
  })
  expect(values('curl -G -d q=1 https://a.example/?a=0')).toMatchObject({
    'request.method': 'GET',
    'request.url': 'https://a.example/?a=0&q=1',
    'request.bodyType': 'NONE',
  })
})

test('a form is sent as a form, other text as it is', () => {
  expect(values('curl -d a=1 -d b=2 https://a.example/')).toMatchObject({
    'request.body': 'a=1&b=2',
    'request.bodyType': 'FORM',
  })
  expect(values("curl -H 'content-type: text/plain' -d hello https://a.example/")?.['request.bodyType']).toBe('RAW')
})
