import type { PastedCheck } from '../core/check-type.ts'

const longestPort = 65_535

/** A host with a port, `db.example.com:5432`, perhaps as an address: `tcp://…`. */
export function tcpCheckFromText(text: string): PastedCheck | undefined {
  const match = /^(?:tcp:\/\/)?(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i.exec(text.trim())
  const [, host = '', digits = ''] = match ?? []
  const port = Number(digits)
  if (match === null || port < 1 || port > longestPort) return undefined
  const hostname = host.replaceAll(/^\[|\]$/g, '')
  return { name: `${host}:${port}`, values: { 'request.hostname': hostname, 'request.port': port } }
}
