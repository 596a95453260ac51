/**
 * The largest number in the parameters of an encrypted PKCS #8 key (the base64 of its PEM form): rounds of its key
 * derivation. To open one with billions of rounds would hold the process up for hours. Infinity when it cannot be read.
 */
export function derivationRounds(base64: string): number {
  const whole = elementAt(Buffer.from(base64, 'base64'), 0)
  const algorithm = whole && elementAt(whole.content, 0)
  return algorithm ? largestInteger(algorithm.content, 0) : Infinity
}

interface Element {
  tag: number
  content: Buffer
  end: number
}

const [integer, sequence] = [0x02, 0x30]

/** One element of DER at this position; undefined when there is none. */
function elementAt(bytes: Buffer, at: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || first === 0x80) return undefined
  const lengthBytes = Math.max(0, first - 0x80)
  const start = at + 2 + lengthBytes
  if (lengthBytes > 4 || start > bytes.length) return undefined
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)
  const end = start + length
  return end > bytes.length ? undefined : { tag, content: bytes.subarray(start, end), end }
}

/** Those of known algorithms are less deep. */
const deepest = 10

function largestInteger(bytes: Buffer, depth: number): number {
  let largest = 0
  for (let at = 0; at < bytes.length;) {
    const element = elementAt(bytes, at)
    if (element === undefined || depth > deepest) return Infinity
    const { tag, content } = element
    if (tag === integer) largest = Math.max(largest, numberOf(content))
    if (tag === sequence) largest = Math.max(largest, largestInteger(content, depth + 1))
    at = element.end
  }
  return largest
}

function numberOf(content: Buffer): number {
  if (content.length > 6) return Infinity
  return content.length === 0 ? 0 : content.readUIntBE(0, content.length)
}
