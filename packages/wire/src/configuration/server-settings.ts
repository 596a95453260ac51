import { addressRanges, anyText, onOrOff, oneOf, origin, textLike, urlWith, wholeNumber } from './kinds.ts'
import { readStaticAddresses } from '../static-addresses.ts'
import type { Setting } from './setting.ts'

const masterKey = {
  ...textLike(
    /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i,
    '32 bytes as base64 (44 characters) or 64 hexadecimal digits. Make one with "openssl rand -base64 32"',
  ),
  wrong: 'is not a master key',
}
const start = 'First start only, on an empty database'

/** What only the server reads. */
export const serverSettings = {
  host: {
    name: 'VEDETTE_HOST',
    readBy: ['server'],
    group: 'Where the server listens',
    ...textLike(/^[^\s/]+$/, 'a host name or address without spaces'),
    default: '127.0.0.1',
    description: 'Address it listens on. `127.0.0.1` keeps it to this machine.',
  },
  port: {
    name: 'VEDETTE_PORT',
    readBy: ['server'],
    group: 'Where the server listens',
    ...wholeNumber(0, 65_535),
    expected: 'a port from 0 to 65535 (0 picks a free one)',
    default: '8080',
    description: 'Port it listens on; 0 picks a free one.',
  },
  baseUrl: {
    name: 'VEDETTE_BASE_URL',
    readBy: ['server'],
    group: 'Where the server listens',
    ...origin,
    otherwise: 'from host and port',
    example: 'https://vedette.example.org',
    description: 'The address people use. Links in alerts point there, and browsers must come from there.',
  },
  trustedProxies: {
    name: 'VEDETTE_TRUSTED_PROXIES',
    readBy: ['server'],
    group: 'Where the server listens',
    ...addressRanges,
    otherwise: 'none',
    example: '127.0.0.1',
    description: 'Proxies whose `X-Forwarded-*` headers are believed: addresses or CIDR ranges, separated by commas.',
  },
  dataDir: {
    name: 'VEDETTE_DATA_DIR',
    readBy: ['server'],
    group: 'Data and keys of the server',
    ...anyText('a folder'),
    default: './data',
    description:
      'Embedded database, master key and spool of the built-in agent. Only one server may use it. Back it up.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    readBy: ['server'],
    group: 'Data and keys of the server',
    secret: true,
    ...urlWith(['postgres:', 'postgresql:'], 'a postgres:// or postgresql:// URL'),
    otherwise: 'none',
    example: 'postgres://vedette:secret@127.0.0.1:5432/vedette',
    description: 'PostgreSQL 15 or newer instead of the embedded database.',
  },
  masterKey: {
    name: 'VEDETTE_MASTER_KEY',
    readBy: ['server'],
    group: 'Data and keys of the server',
    secret: true,
    ...masterKey,
    otherwise: '`master.key` in the data directory',
    description:
      'Encrypts secrets at rest: 32 bytes as base64 or 64 hexadecimal digits. Without it the first start makes a key file. Keep a copy elsewhere.',
  },
  oldMasterKey: {
    name: 'VEDETTE_OLD_MASTER_KEY',
    readBy: ['server'],
    group: 'Data and keys of the server',
    secret: true,
    ...masterKey,
    otherwise: '`master.key` in the data directory',
    description: 'The key in use until now. Only `npm run rekey` reads it, with the server stopped.',
  },
  bootstrapAccountId: {
    name: 'VEDETTE_BOOTSTRAP_ACCOUNT_ID',
    readBy: ['server'],
    group: start,
    parse: (text: string) =>
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
    expected: 'a UUID',
    otherwise: 'random',
    example: '00000000-0000-4000-8000-000000000001',
    description: 'Id of the first account. Acts only on an empty database, like all `VEDETTE_BOOTSTRAP_` settings.',
  },
  bootstrapApiKey: {
    name: 'VEDETTE_BOOTSTRAP_API_KEY',
    readBy: ['server'],
    group: start,
    secret: true,
    ...textLike(/^\S{20,200}$/, 'at least 20 characters without spaces'),
    otherwise: 'random',
    example: 'at-least-twenty-characters',
    description: 'The first API key, at least 20 characters.',
  },
  bootstrapEmail: {
    name: 'VEDETTE_BOOTSTRAP_EMAIL',
    readBy: ['server'],
    group: start,
    ...textLike(/^\S+@\S+$/, 'an e-mail address'),
    otherwise: '`admin@localhost`',
    example: 'you@example.org',
    description: 'The first user.',
  },
  bootstrapPassword: {
    name: 'VEDETTE_BOOTSTRAP_PASSWORD',
    readBy: ['server'],
    group: start,
    secret: true,
    verbatim: true,
    ...textLike(/^[^]{10,}$/, 'at least 10 characters'),
    needs: 'VEDETTE_BOOTSTRAP_EMAIL',
    otherwise: 'none',
    example: 'at-least-ten-characters',
    description: 'Password of the first user, at least 10 characters. It needs `VEDETTE_BOOTSTRAP_EMAIL`.',
  },
  egress: {
    name: 'VEDETTE_EGRESS',
    readBy: ['server'],
    group: 'What the server sends',
    ...oneOf(['trusted', 'public-only']),
    expected: 'trusted or public-only',
    default: 'trusted',
    description:
      '`trusted`: checks and notifications may reach loopback and private networks (one team, its own network). `public-only`: notifications and checks at data-center locations may not. Cloud metadata and link-local addresses are always denied.',
  },
  staticIps: {
    name: 'VEDETTE_STATIC_IPS',
    readBy: ['server'],
    group: 'What the server sends',
    parse: readStaticAddresses,
    expected: 'region=address,address;region=address with IPv4 addresses and IPv6 addresses or ranges',
    otherwise: 'none',
    example: 'eu-west-1=192.0.2.10,2001:db8:1::/64;us-east-1=192.0.2.20',
    description:
      'Addresses from which agents reach their targets, by region: `region=address,address;region=address`. The API lists them under `/v1/static-ips` and `/v1/static-ipv6s`, for the firewalls of targets.',
  },
  smtpUrl: {
    name: 'VEDETTE_SMTP_URL',
    readBy: ['server'],
    group: 'What the server sends',
    secret: true,
    ...urlWith(['smtp:', 'smtps:'], 'an smtp:// or smtps:// URL'),
    otherwise: 'none',
    example: 'smtps://user:password@smtp.example.org:465?from=vedette@example.org',
    description: '`smtp://` or `smtps://` address of the mail server, for e-mail alerts.',
  },
  deadmanUrl: {
    name: 'VEDETTE_DEADMAN_URL',
    readBy: ['server'],
    group: 'What the server sends',
    secret: true,
    ...urlWith(['http:', 'https:'], 'an http:// or https:// URL'),
    otherwise: 'none',
    example: 'https://monitor.example.org/ping/0123456789',
    description:
      'Called (GET) every minute while schedule, agents, storing and notifications all go on. A monitor elsewhere that misses the calls notices that Vedette is dead.',
  },
  canary: {
    name: 'VEDETTE_CANARY',
    readBy: ['server'],
    group: 'What the server sends',
    ...onOrOff,
    default: 'on',
    description:
      'Once a day a built-in check fails on purpose, and must end as an accepted test notification to Vedette itself. `off` leaves it out, also for `npm run canary`.',
  },
} as const satisfies Record<string, Setting>
