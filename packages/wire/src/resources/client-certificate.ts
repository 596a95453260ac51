import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

const pem = () => z.string().min(1).max(65_536)

/** An example of what is sent: of nobody, and valid for a hundred years. */
export const sampleClientCertificate = {
  host: '*.example.com',
  cert: [
    '-----BEGIN CERTIFICATE-----',
    'MIIBUTCCAQOgAwIBAgIURWyPjIovC6FdOy8A/iLd67lXDdIwBQYDK2VwMB0xGzAZ',
    'BgNVBAMMEmNsaWVudC5leGFtcGxlLmNvbTAgFw0yNjExMjMwMjU0MDlaGA8yMTI2',
    'MTAzMDAyNTQwOVowHTEbMBkGA1UEAwwSY2xpZW50LmV4YW1wbGUuY29tMCowBQYD',
    'K2VwAyEAd/symSq+VNzUoFDuVSBWV98iWl6lYhR1w4Hl1+hN86qjUzBRMB0GA1Ud',
    'DgQWBBR2Ja/IbjzNzAg7es1PU8r9+y5GTjAfBgNVHSMEGDAWgBR2Ja/IbjzNzAg7',
    'es1PU8r9+y5GTjAPBgNVHRMBAf8EBTADAQH/MAUGAytlcANBALuio93LEJ2zfjCe',
    'wD3HV0pzW5VFp/Iwip61jfRkV7BnDhL60USYzLi8G50pLA4Scy7swU4ZjvCCkbHk',
    'lpjnlQU=',
    '-----END CERTIFICATE-----',
    '',
  ].join('\n'),
  key: [
    '-----BEGIN PRIVATE KEY-----',
    'MC4CAQAwBQYDK2VwBCIEILiZRnPir0eegWVN2zWf3dSfdH2apGRlo39UGH8U01iE',
    '-----END PRIVATE KEY-----',
  ].join('\n'),
}

/** A client certificate as it is sent. */
export const clientCertificateCreate = z
  .strictObject({
    host: z.string().trim().min(1).max(255).describe('Host that it is for; `*` stands for any characters.'),
    cert: pem().describe('Certificate in PEM form, followed by those between it and its root.'),
    key: pem().describe('Its private key in PEM form. Stored encrypted and never returned.'),
    ca: pem().nullable().optional().describe('Authorities to trust for that host besides the usual ones, in PEM form.'),
    passphrase: z
      .string()
      .max(1000)
      .nullable()
      .optional()
      .describe('Opens an encrypted key. It is used once and not stored.'),
  })
  .meta({ id: 'ClientCertificateCreate', examples: [sampleClientCertificate] })
export type ClientCertificateCreate = z.infer<typeof clientCertificateCreate>

/** A client certificate without its key. `subject` and below are additions for the web app. */
export const clientCertificateResponse = z
  .object({
    id: z.string(),
    host: z.string(),
    cert: z.string(),
    ca: z.string().nullable(),
    created_at: dateTime,
    subject: z.string().describe('Whom it names.'),
    expiresAt: dateTime.describe('When it ends.'),
  })
  .meta({ id: 'ClientCertificate' })
export type ClientCertificate = z.infer<typeof clientCertificateResponse>
