import { describe, expect, it } from 'vitest'
import { readOrder } from './options.ts'

const read = (line: string) =>
  readOrder(line === '' ? [] : line.split(' '), {
    whole: ['load', 'rounds', 'baseline', 'against', 'peer-dir'],
    capacity: ['from', 'to', 'rounds'],
    probe: [],
  })

describe('a command line of the benches', () => {
  it('names benches and states options', () => {
    expect(read('whole --load 200 --load 0 --rounds 1 --json')).toEqual({
      names: ['whole'],
      json: true,
      options: { loads: [0, 200], rounds: 1 },
    })
    expect(read('whole probe')).toEqual({ names: ['whole', 'probe'], json: false, options: {} })
    expect(read('whole --against kuma --peer-dir /opt/kuma').options).toEqual({ against: 'kuma', peerDir: '/opt/kuma' })
  })

  it.each([
    ['', 'Name a bench: whole|capacity|probe.'],
    ['wole', 'There is no bench "wole". Name one of: whole|capacity|probe.'],
    ['whole --speed 3', "Unknown option '--speed'"],
    ['whole --load', "Option '--load <value>' argument missing"],
    ['probe --load 40', 'probe takes no --load.'],
    ['whole --load fast', '--load must be a whole number from 0 to 1000; got "fast".'],
    ['whole --rounds 0', '--rounds must be a whole number from 1 to 20; got "0".'],
    ['whole --rounds 1.5', '--rounds must be a whole number from 1 to 20; got "1.5".'],
    ['whole --against nagios', '--against must be one of kuma, gatus; got "nagios".'],
    ['whole --against kuma --baseline ../main', 'Give --baseline or --against, not both.'],
    ['whole --peer-dir /opt/kuma', '--peer-dir says where the peer of --against is.'],
    ['capacity --from 900 --to 300', '--from must be at most --to; got 900 and 300.'],
  ])('that reads "%s" is refused with what is wrong', (line, message) => {
    expect(() => read(line)).toThrow(message)
  })
})
