import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createScrubber, headerSecrets, scrubbed, scrubberFor } from './scrub.ts'

const secret = 'p@ss/wörd "1" & <2>'
const scrubber = createScrubber([secret])

describe('scrubbing', () => {
  it.each([
    ['raw', `before ${secret} after`],
    ['URL-encoded', `?q=${encodeURIComponent(secret)}&x=1`],
    [
      'URL-encoded in lower case',
      `?q=${encodeURIComponent(secret).replaceAll(/%[0-9A-F]{2}/g, (b) => b.toLowerCase())}`,
    ],
    ['form-encoded', new URLSearchParams({ q: secret }).toString()],
    ['base64', `Basic ${Buffer.from(secret).toString('base64')}`],
    ['base64 behind one byte', Buffer.from(`:${secret}`).toString('base64')],
    ['base64 between others', Buffer.from(`user:${secret}, and more`).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['JSON', JSON.stringify({ echoed: secret })],
    ['JSON in JSON', JSON.stringify({ body: JSON.stringify({ echoed: secret }) })],
    ['HTML', '<p>p@ss/wörd &quot;1&quot; &amp; &lt;2&gt;</p>'],
    ['hex', Buffer.from(secret).toString('hex')],
  ])('finds a secret %s', (_, text) => {
    const clean = scrubber.text(text)
    expect(clean).toContain(scrubbed)
    for (const part of ['wörd', 'w%C3%B6rd', 'w%c3%b6rd', 'QHNzL3', 'BzcL', 'c3MvdM', '70407373']) {
      expect(clean).not.toContain(part)
    }
  })

  it('cleans every string of a value and leaves the rest', () => {
    const value = { a: [1, null, true, `x${secret}`], request: { params: { [secret]: 'y' } } }
    expect(scrubber.value(value)).toEqual({
      a: [1, null, true, `x${scrubbed}`],
      request: { params: { [scrubbed]: 'y' } },
    })
  })

  it('keeps the names of our own fields, whatever a secret is called', () => {
    expect(createScrubber(['response']).value({ response: 'the response' })).toEqual({ response: `the ${scrubbed}` })
  })

  it('replaces what no database stores', () => {
    const text = createScrubber([]).value({ a: 'x\0y\ud83dz', whole: '\ud83d\ude00' })
    expect(text).toEqual({ a: 'x\ufffdy\ufffdz', whole: '\ud83d\ude00' })
  })

  it('cuts long texts without splitting a sign or a secret', () => {
    const long = `${'x'.repeat(65_535)}\ud83d\ude00`
    expect(createScrubber([]).text(long)).toBe('x'.repeat(65_535))
    const cut = createScrubber(['secret-value']).text(`${'secret-value'.repeat(6000)}`)
    const secretAsLongAsTheText = createScrubber(['y'.repeat(20_000)])
    expect(secretAsLongAsTheText.text('x'.repeat(70_000))).toBe('x'.repeat(65_536))
    expect(cut).toMatch(/^\*+$/)
  })

  it('copes with many and with large secrets', () => {
    const many = Array.from({ length: 50 }, (_, i) => `sécret-${i} "${'k'.repeat(i * 10)}"`)
    const key = `-----BEGIN KEY-----\n${'MIIEvQIBADANBgkq/+\n'.repeat(1000)}-----END KEY-----\n`
    const clean = createScrubber([...many, key]).text(JSON.stringify({ key, echo: `${many[49]}${many[7]}`, n: 1 }))
    expect(clean).toBe(`{"key":"${scrubbed}","echo":"${scrubbed}${scrubbed}","n":1}`)
  })

  it('hides what an expression took out of the middle of a secret', () => {
    expect(scrubber.excerpt('@ss/wörd')).toBe(scrubbed)
    expect(scrubber.excerpt('true')).toBe('true')
  })

  it('replaces a short secret only where it is the whole value', () => {
    const short = createScrubber(['ab', ''])
    expect(short.value({ whole: 'ab', part: 'cab', none: '' })).toEqual({ whole: scrubbed, part: 'cab', none: '' })
  })

  it('blackens sensitive headers even when their values are nowhere else', () => {
    const headers = { Authorization: 'Bearer x', cookie: 'a=1', 'set-cookie': 'b=2', 'x-api-key': 'k', accept: '*/*' }
    expect(createScrubber([]).value({ response: { headers } })).toEqual({
      response: {
        headers: {
          Authorization: scrubbed,
          cookie: scrubbed,
          'set-cookie': scrubbed,
          'x-api-key': scrubbed,
          accept: '*/*',
        },
      },
    })
  })

  it('takes credentials and cookies out of headers, so that their echoes go too', () => {
    const found = headerSecrets({
      authorization: `Basic ${Buffer.from('joe:hunter22').toString('base64')}`,
      cookie: 'theme=dark; session=abcdef0123',
      'set-cookie': 'id=zyxwvu9876; Path=/; HttpOnly\nb=2',
      'proxy-authorization': 'Bearer tok en',
      'content-type': 'text/plain',
    })
    expect(found).toEqual(
      expect.arrayContaining(['hunter22', 'joe:hunter22', 'abcdef0123', 'theme=dark', 'zyxwvu9876', 'tok en']),
    )
    expect(found).not.toContain('dark')
    expect(found).not.toContain('text/plain')
  })

  it('leaves no trace of any secret, whatever surrounds it', () => {
    const token = fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim().length >= 4)
    fc.assert(
      fc.property(token, fc.string(), fc.string(), (value, before, after) => {
        const clean = createScrubber([value]).text(JSON.stringify({ a: before + value + after, b: value }))
        expect(clean.replaceAll(scrubbed, '')).not.toContain(JSON.stringify(value).slice(1, -1))
      }),
    )
  })
})

describe('the scrubber of a run', () => {
  it('is that of an earlier run with the same secrets', () => {
    expect(scrubberFor(['secret one', 'secret two'])).toBe(scrubberFor(['secret one', 'secret two']))
  })

  it('knows a secret that was replaced no more, and the new one at once', () => {
    expect(scrubberFor(['old-password']).text('old-password new-password')).toBe(`${scrubbed} new-password`)
    expect(scrubberFor(['new-password']).text('old-password new-password')).toBe(`old-password ${scrubbed}`)
  })

  it('takes two secrets for no other one', () => {
    expect(scrubberFor(['first","second']).text('first and second')).toBe('first and second')
    expect(scrubberFor(['first', 'second']).text('first and second')).toBe(`${scrubbed} and ${scrubbed}`)
  })

  it('is right also when there are more sets of secrets than are kept', () => {
    for (const round of [1, 2]) {
      for (let n = 0; n < 150; n++)
        expect(scrubberFor([`password-${n}`]).text(`${round} password-${n}`)).toBe(`${round} ${scrubbed}`)
    }
  })
})
