import type { Trouble } from '../../trouble.ts'

type Words = Pick<Trouble, 'title' | 'over' | 'text' | 'reason' | 'advice' | 'occurrence'>

/** A trouble of the whole installation. */
export const ofInstallation = (
  code: Trouble['code'],
  severity: Trouble['severity'],
  since: number,
  words: Words,
): Trouble => ({ key: code, code, severity, subject: 'Vedette', accountId: null, location: null, since, ...words })

/** A duration in words, rounded down. */
export function minutesText(ms: number): string {
  const [amount, unit] =
    ms < 120_000
      ? [Math.floor(ms / 1000), 'second']
      : ms < 7_200_000
        ? [Math.floor(ms / 60_000), 'minute']
        : [Math.floor(ms / 3_600_000), 'hour']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

export function sizeText(bytes: number): string {
  const [size, unit] = bytes < 1024 ** 3 ? [bytes / 1024 ** 2, 'MiB'] : [bytes / 1024 ** 3, 'GiB']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit}`
}
