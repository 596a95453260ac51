import { describe, expect, it } from 'vitest'
import { observedText, TargetError, troubleText, type Phase } from './target-error.ts'

describe('trouble of a target as data', () => {
  it.each<[Phase, string, string]>([
    ['tcp', '127.0.0.1:5432 refused the connection', 'TCP: 127.0.0.1:5432 refused the connection'],
    ['tls', 'certificate of shop.example expired 3 days ago', 'TLS: certificate of shop.example expired 3 days ago'],
    ['firstByte', 'no answer', 'HTTP: no answer'],
    ['query', 'no answer from 192.0.2.53:53', 'DNS: no answer from 192.0.2.53:53'],
  ])('of phase %s begins with the name of the phase', (phase, text, observed) => {
    expect(new TargetError(phase, 'CODE', text).toObserved().text).toBe(observed)
    expect(observedText(phase, text)).toBe(observed)
    expect(troubleText(new TargetError(phase, 'CODE', text))).toBe(observed)
  })

  it('keeps the phase when the text is cut', () => {
    const { text } = new TargetError('tls', 'CODE', 'x'.repeat(3000)).toObserved()
    expect(text).toMatch(/^TLS: x+$/)
    expect(text).toHaveLength(2000)
  })
})
