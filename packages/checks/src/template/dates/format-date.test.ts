import { describe, expect, it } from 'vitest'
import { formatDate } from './format-date.ts'

const at = Date.UTC(2026, 2, 1, 5, 6, 7, 8)

describe('a date', () => {
  it.each([
    ['YYYY YY Q', '2026 26 1'],
    ['MMMM MMM MM M', 'March Mar 03 3'],
    ['DDDD DDD DD D Do', '060 60 01 1 1st'],
    ['dddd ddd dd d E', 'Sunday Sun Su 0 7'],
    ['GGGG WW W', '2026 09 9'],
    ['HH H hh h', '05 5 05 5'],
    ['mm m ss s SSS', '06 6 07 7 008'],
    ['A a', 'AM am'],
    ['Z ZZ', '+00:00 +0000'],
    ['X x', `${Math.floor(at / 1000)} ${at}`],
    ['[Today is] D, [week] W', 'Today is 1, week 9'],
    ['YYYY-MM-DDTHH:mm:ss', '2026-03-01T05:06:07'],
    ['k w g z L l', 'k w g z L l'],
    ['', ''],
  ])('by %s is %s', (format, expected) => expect(formatDate(at, format)).toBe(expected))

  it.each([
    ['2026-01-11T00:00:00Z', '11th'],
    ['2026-01-12T00:00:00Z', '12th'],
    ['2026-01-22T00:00:00Z', '22nd'],
    ['2026-01-23T00:00:00Z', '23rd'],
    ['2026-01-31T00:00:00Z', '31st'],
  ])('of %s has the ordinal %s', (day, expected) => expect(formatDate(Date.parse(day), 'Do')).toBe(expected))

  it('leaves names of time zones as they are', () => {
    expect(formatDate(Date.UTC(2027, 0, 3, 9), 'HH:mm CET EST WET')).toBe('09:00 CET EST WET')
  })

  it('belongs to the ISO year of its week', () => {
    expect(formatDate(Date.UTC(2027, 0, 3), 'GGGG-[W]WW-E')).toBe('2026-W53-7')
    expect(formatDate(Date.UTC(2024, 11, 30), 'GGGG-[W]WW-E')).toBe('2025-W01-1')
  })

  it('counts days of leap years and hours of the afternoon', () => {
    expect(formatDate(Date.UTC(2024, 11, 31, 12), 'DDDD h A')).toBe('366 12 PM')
    expect(formatDate(Date.UTC(2024, 11, 31, 0), 'h a')).toBe('12 am')
  })
})
