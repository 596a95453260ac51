/** Names of signature algorithms. Source: RFC 3279, 4055, 5758, 8410. */
const names: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.10': 'RSASSA-PSS',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.3.101.112': 'ED25519',
  '1.3.101.113': 'ED448',
}

/** Where the value of the DER element at `at` begins and ends. */
function elementAt(der: Buffer, at: number): { start: number; end: number } {
  const first = der.readUInt8(at + 1)
  const width = first < 0x80 ? 0 : first & 0x7f
  const start = at + 2 + width
  return { start, end: start + (width === 0 ? first : der.readUIntBE(at + 2, width)) }
}

function objectIdentifier(bytes: Buffer): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [both = 0, ...rest] = numbers
  const first = Math.min(2, Math.floor(both / 40))
  return [first, both - 40 * first, ...rest].join('.')
}

/**
 * How a certificate was signed, which Node tells from version 24 on only. `der` was read by OpenSSL before: it is a
 * sequence of what was signed, the algorithm and the signature.
 */
export function signatureAlgorithmOf(der: Buffer): string {
  const signed = elementAt(der, elementAt(der, 0).start)
  const { start, end } = elementAt(der, elementAt(der, signed.end).start)
  const number = objectIdentifier(der.subarray(start, end))
  return names[number] ?? number
}
