import { expect, test } from 'vitest'
import { curlOf } from './curl-of.ts'

test('a request becomes a command that a shell takes as it is', () => {
  const request = {
    method: 'POST',
    url: 'https://a.example/?q=1',
    headers: { host: 'a.example', 'x-a': "it's" },
    data: '{"a":1}',
  }
  expect(curlOf(request)).toBe(
    String.raw`curl 'https://a.example/?q=1' \
  -X POST \
  -H 'x-a: it'\''s' \
  --data-raw '{"a":1}'`,
  )
})

test('what was no HTTP request is none', () => {
  expect(curlOf({ hostname: 'a.example', port: 5 })).toBeUndefined()
  expect(curlOf(null)).toBeUndefined()
})
