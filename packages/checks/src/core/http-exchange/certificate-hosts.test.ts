import { expect, it } from 'vitest'
import { certificateHosts } from './certificate-hosts.ts'

const hosts = (url: string, followRedirects: boolean) => certificateHosts({ url, followRedirects })

it('a request that follows no redirects needs certificates for its own host only', () => {
  expect(hosts('https://shop.example:8443/cart', false)).toEqual(['shop.example'])
  expect(hosts('http://shop.example/cart', false)).toEqual([])
})

it('a request that follows redirects or has templates may need any', () => {
  expect(hosts('https://shop.example/', true)).toBe('any')
  expect(hosts('https://{{HOST}}/', false)).toBe('any')
})
