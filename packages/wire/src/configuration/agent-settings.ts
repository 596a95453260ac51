import { anyText, hostList, onOrOff, proxyAddress, seconds, serverAddress, textLike, wholeNumber } from './kinds.ts'
import type { Setting } from './setting.ts'

const group = 'An agent of its own (npm run agent)'

/** What an agent reads that stands alone. The server reads some of them too and passes them to its built-in agent. */
export const agentSettings = {
  url: {
    name: 'VEDETTE_URL',
    readBy: ['agent'],
    group,
    ...serverAddress,
    required: 'the address of the Vedette server, such as https://vedette.example.com',
    example: 'https://vedette.example.org',
    description: 'Address of the server.',
  },
  key: {
    name: 'API_KEY',
    readBy: ['agent'],
    group,
    secret: true,
    ...textLike(/^[\x21-\x7e]+$/, 'one location key'),
    wrong: 'has spaces or characters outside ASCII',
    required: 'the key of a location, or its file in API_KEY_FILE',
    example: 'vdl_the_key_of_its_location',
    description: 'Key of its location.',
  },
  httpsProxy: {
    name: 'HTTPS_PROXY',
    readBy: ['agent'],
    otherName: { agent: 'https_proxy' },
    group,
    secret: true,
    ...proxyAddress,
    otherwise: 'none',
    example: 'http://user:password@proxy.example:3128',
    description:
      'Proxy through which the agent reaches a server with an https address, by a tunnel (CONNECT) that keeps TLS from end to end; also `https_proxy`. User and password may stand in the address. Checks do not go through it: that is the proxy of their private location. Behind it no control name is looked up unless `VEDETTE_CONTROL_NAME` names one.',
  },
  httpProxy: {
    name: 'HTTP_PROXY',
    readBy: ['agent'],
    otherName: { agent: 'http_proxy' },
    group,
    secret: true,
    ...proxyAddress,
    otherwise: 'none',
    description: 'The same for a server with an http address; also `http_proxy`.',
  },
  noProxy: {
    name: 'NO_PROXY',
    readBy: ['agent'],
    otherName: { agent: 'no_proxy' },
    group,
    ...hostList,
    otherwise: 'none',
    example: '.internal.example,10.0.0.0/8',
    description:
      'Servers that are reached without the proxy: host names (with all below them), addresses, CIDR ranges, each maybe with `:port`, or `*` for all; also `no_proxy`. A server on the same machine never needs one.',
  },
  concurrency: {
    name: 'JOB_CONCURRENCY',
    readBy: ['server', 'agent'],
    group,
    ...wholeNumber(1, 10_000),
    otherwise: '4000 network runs, fewer with little memory',
    example: '4000',
    description:
      'Runs at the same time in every worker class, 1 to 10000. Nearly all network runs wait for their target: with too few places a mass outage keeps other checks from running. Each may take two open files; the limit of the process bounds them, and the log says so. The server takes it for its built-in agent.',
  },
  spoolDir: {
    name: 'VEDETTE_SPOOL_DIR',
    readBy: ['agent'],
    group,
    ...anyText('a folder'),
    default: './spool',
    description: 'Folder for results that could not be delivered yet. One agent per folder.',
  },
  drainGraceMs: {
    name: 'VEDETTE_DRAIN_SECONDS',
    readBy: ['agent'],
    group,
    ...seconds(0, 3600),
    default: '60',
    description: 'How long running checks may take to finish after SIGTERM, 0 to 3600 seconds.',
  },
  healthPort: {
    name: 'AGENT_HEALTH_PORT',
    readBy: ['server', 'agent'],
    group,
    ...wholeNumber(0, 65_535),
    default: { agent: '8081' },
    otherwise: 'none',
    description:
      'Port of `/-/readiness`, `/-/liveness` and `/health`; 0 takes a free one and logs it. The server takes it for its built-in agent, which serves none unless it is set, and works also when the port is taken.',
  },
  healthHost: {
    name: 'AGENT_HEALTH_HOST',
    readBy: ['server', 'agent'],
    group,
    ...textLike(/^[^\s/]+$/, 'a host name or address without spaces'),
    otherwise: '`127.0.0.1` for the built-in agent, every address for others',
    example: '0.0.0.0',
    description: 'Address on which `AGENT_HEALTH_PORT` is open. The server takes it for its built-in agent.',
  },
  reportCrashes: {
    name: 'EXTERNAL_OBSERVABILITY',
    readBy: ['agent'],
    group,
    ...onOrOff,
    default: 'on',
    description:
      '`off` keeps the agent from reporting its crashes to its own server. A report holds the time and the kind of the crash and nothing else; nothing is sent to third parties.',
  },
} as const satisfies Record<string, Setting>
