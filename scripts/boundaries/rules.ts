/**
 * The boundaries of the code, as data: who may import whom, and the few files that may do what the rest may not. The
 * checker beside this file enforces them. Paths start at the root of the repository; one that ends in `/` names a
 * folder with everything in it. An exception that nothing needs any more is itself a violation.
 */

/** A file or folder that may do what a rule refuses, and why. */
export interface Exception {
  path: string
  reason: string
}

interface PackageRule {
  /** Entries of our other packages, as they are written in an import. */
  mayImport: readonly string[]
  /** Built-in modules of Node that production code may load; `all` of them where nothing is said. */
  node: readonly string[] | 'all'
  /** Packages of npm that are refused, with their subpaths. */
  refuses: readonly string[]
  because: string
}

export const packages: Record<string, PackageRule> = {
  wire: {
    mayImport: [],
    node: ['node:crypto'],
    refuses: ['pg', 'fastify', 'react'],
    because: 'wire holds shapes and pure rules: it imports no other package of ours and does no I/O.',
  },
  checks: {
    mayImport: ['@vedette/wire', '@vedette/wire/ids'],
    node: 'all',
    refuses: ['pg', 'fastify', 'react'],
    because: 'checks knows the network and wire, no database, no HTTP server and no other package.',
  },
  agent: {
    mayImport: [
      '@vedette/wire',
      '@vedette/wire/ids',
      '@vedette/wire/configuration',
      '@vedette/wire/sealing',
      '@vedette/checks',
      '@vedette/checks/rules',
      '@vedette/checks/run',
      '@vedette/checks/net',
      '@vedette/checks/process',
      '@vedette/checks/thread',
      '@vedette/checks/runnable',
    ],
    node: 'all',
    refuses: ['pg', 'fastify', 'react'],
    because: 'The agent ships alone: it has no database and no API. Shared shapes belong to wire.',
  },
  server: {
    mayImport: [
      '@vedette/wire',
      '@vedette/wire/ids',
      '@vedette/wire/configuration',
      '@vedette/wire/sealing',
      '@vedette/checks',
      '@vedette/checks/rules',
      '@vedette/checks/passive',
      '@vedette/checks/net',
      '@vedette/checks/process',
      '@vedette/checks/template',
      '@vedette/checks/thread',
      '@vedette/checks/runnable',
      '@vedette/agent',
    ],
    node: 'all',
    refuses: ['react'],
    because: 'The server uses the definition side of check types and the start of the agent. It never runs a check.',
  },
  web: {
    mayImport: ['@vedette/wire', '@vedette/checks'],
    node: [],
    refuses: ['pg', 'fastify'],
    because: 'web runs in a browser: it imports wire and the pure definitions of @vedette/checks only.',
  },
}

/** Entries that browsers load too: nothing in their whole tree of imports uses a module of Node. */
export const pureEntries: readonly string[] = [
  'packages/wire/src/index.ts',
  'packages/checks/src/index.ts',
  'packages/checks/src/rules.ts',
]

/**
 * Folders and files directly in `packages/server/src`: which others each may import. Nothing imports `app` but `parts`,
 * and nothing imports an entry (`main`, `rekey`).
 */
const serverAreas: Record<string, readonly string[]> = {
  main: ['config', 'server', 'start-refused', 'startup-notice'],
  rekey: ['config', 'db', 'secrets', 'start-refused'],
  server: [
    'config',
    'data-dir',
    'db',
    'http',
    'installation',
    'local-agent',
    'own-targets',
    'parts',
    'secrets',
    'sign-in',
    'start-refused',
  ],
  parts: [
    'access',
    'agents',
    'alerting',
    'api-hooks',
    'app',
    'assets',
    'changes',
    'config',
    'db',
    'follow-changes',
    'health',
    'ingest',
    'installation',
    'live',
    'locations',
    'operations',
    'passive',
    'resources',
    'scheduling',
    'secrets',
    'sessions',
  ],
  app: ['agents', 'api', 'health', 'http', 'live', 'operations', 'passive', 'resources', 'sign-in', 'web-app'],
  api: ['http', 'resources'],
  'api-hooks': ['db', 'live', 'locations', 'resources', 'runs'],
  'follow-changes': ['changes', 'live'],

  resources: [
    'api-error',
    'access',
    'alerting',
    'assets',
    'db',
    'http',
    'ingest',
    'locations',
    'runs',
    'sessions',
    'settings',
    'vault',
  ],
  'sign-in': ['alerting', 'api-error', 'access', 'db', 'http', 'vault'],
  agents: [
    'api-error',
    'access',
    'assets',
    'db',
    'http',
    'locations',
    'queue',
    'runs',
    'settings',
    'storable',
    'vault',
  ],
  live: ['api-error', 'db', 'http', 'runs'],
  health: [
    'access',
    'agents',
    'alerting',
    'api-error',
    'db',
    'http',
    'ingest',
    'locations',
    'runs',
    'scheduling',
    'settings',
    'trouble',
    'vault',
  ],
  operations: ['assets', 'db', 'health', 'http', 'locations', 'runs'],
  'web-app': [],
  http: ['api-error', 'access', 'db'],

  scheduling: ['agents', 'api-error', 'db', 'queue', 'runs', 'settings', 'worker-class-of'],
  passive: ['agents', 'api-error', 'db', 'http', 'ingest', 'runs', 'scheduling', 'storable', 'vault'],
  ingest: ['alerting', 'db', 'runs', 'sessions', 'settings', 'storable', 'worker-class-of'],
  sessions: ['db', 'runs', 'scheduling', 'settings'],
  alerting: ['db', 'locations', 'settings', 'storable', 'trouble', 'vault'],
  queue: ['runs'],
  access: ['api-error', 'db'],
  assets: ['db'],
  changes: ['db'],
  installation: ['access', 'db'],
  locations: ['api-error', 'db'],
  settings: ['db', 'vault'],
  secrets: ['db', 'start-refused', 'vault'],
  'local-agent': [],
  db: ['data-dir', 'start-refused'],

  'api-error': [],
  config: ['start-refused'],
  'data-dir': ['start-refused'],
  'own-targets': [],
  runs: ['db'],
  'start-refused': [],
  'startup-notice': [],
  storable: [],
  trouble: [],
  vault: [],
  'worker-class-of': [],
}

export const folderTables: Record<string, Record<string, readonly string[]>> = {
  'packages/server/src/': serverAreas,
}

/** Imports against a folder table that stay for now. */
export const folderExceptions: readonly (Exception & { imports: string })[] = []

/** Folders whose children must not be imported, or only through one file. */
export interface ClosedFolder {
  parent: string
  /** Children that are not closed. */
  open: readonly string[]
  /** The files that others may import; undefined where any file may be. */
  doors: readonly string[] | undefined
  /** Whether a sibling may import it at all. */
  siblings: boolean
  instead: string
}

export const closedFolders: readonly ClosedFolder[] = [
  {
    parent: 'packages/server/src/resources/',
    open: [],
    doors: ['index.ts', 'for-verbs.ts'],
    siblings: true,
    instead:
      'A resource is used through its index.ts, and by verbs, which know no HTTP, through its for-verbs.ts: export there what others need.',
  },
  {
    parent: 'packages/server/src/alerting/channels/',
    open: [],
    doors: ['index.ts'],
    siblings: false,
    instead: 'Kinds of channels never see each other: what two of them need belongs to alerting/channels or above.',
  },
  {
    parent: 'packages/checks/src/',
    open: ['core', 'net', 'process', 'template', 'thread'],
    doors: undefined,
    siblings: false,
    instead: 'Check types never see each other: what two of them need belongs to core, net or template.',
  },
]

export const sql = {
  /** The only package that knows SQL. */
  package: 'server',
  stores: /(^|[/-])store\.ts$/,
  exceptions: [
    { path: 'packages/server/src/db/external.ts', reason: 'Asks a PostgreSQL server what it is when connecting.' },
    { path: 'packages/server/src/db/listen.ts', reason: 'Listens to a channel on a connection of its own.' },
    { path: 'packages/server/src/db/migrate.ts', reason: 'Runs the migrations and keeps their ledger.' },
    { path: 'packages/server/src/db/partitions.ts', reason: 'Makes and drops the daily tables of results.' },
    { path: 'packages/server/src/db/pool.ts', reason: 'Begins, commits and rolls back transactions.' },
    { path: 'packages/server/src/db/silence.ts', reason: 'Passes statements on with a limit of time.' },
    { path: 'packages/server/src/db/embedded/worker.ts', reason: 'Ends what the session before left open.' },
    {
      path: 'packages/server/src/db/embedded/engine.ts',
      reason: 'Proves that the embedded database reaches the disk.',
    },
    { path: 'packages/server/src/db/embedded/upkeep.ts', reason: 'Checkpoints and vacuums the embedded database.' },
  ] satisfies readonly Exception[],
}

export const network = {
  /**
   * Modules that open sockets, with their subpaths. Type-only imports of them are allowed: they do not exist at run
   * time.
   */
  modules: [
    'node:http',
    'node:https',
    'node:http2',
    'node:net',
    'node:tls',
    'node:dgram',
    'node:dns',
    'undici',
    'axios',
    'got',
    'node-fetch',
    'ws',
    'nodemailer',
    'pg',
  ],
  globals: ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'WebTransport', 'sendBeacon'],
  /** Names of those modules that open nothing. */
  harmless: ['STATUS_CODES', 'METHODS', 'isIP', 'isIPv4', 'isIPv6', 'BlockList'],
  /** Each path with the modules and globals it may use. */
  exceptions: [
    {
      path: 'packages/checks/src/net/',
      uses: ['node:http', 'node:net', 'node:tls', 'node:dgram'],
      reason: 'The network engine with the egress guard: every check and notification goes out through it.',
    },
    { path: 'packages/agent/src/health-server.ts', uses: ['node:http'], reason: 'A listener: health of the agent.' },
    {
      path: 'packages/agent/src/protocol/post-json.ts',
      uses: ['node:http', 'node:https'],
      reason: 'Speaks with the one server the operator named; the egress guard is for targets of users.',
    },
    {
      path: 'packages/agent/src/protocol/server-connections.ts',
      uses: ['node:http', 'node:https'],
      reason: 'Holds the connections to that server, through a proxy where the operator named one.',
    },
    {
      path: 'packages/server/src/alerting/channels/guarded-request.ts',
      uses: ['node:http'],
      reason: 'Writes HTTP on a socket that the egress guard opened.',
    },
    {
      path: 'packages/server/src/alerting/channels/email/send.ts',
      uses: ['nodemailer'],
      reason: 'Writes SMTP on a socket that the egress guard opened.',
    },
    {
      path: 'packages/server/src/own-targets.ts',
      uses: ['node:dns/promises'],
      reason: 'Looks up the address of its own database, so that no check may reach it.',
    },
    { path: 'packages/server/src/db/pool.ts', uses: ['pg'], reason: 'Takes only its readers of column types.' },
    { path: 'packages/server/src/db/external.ts', uses: ['pg'], reason: 'Connects to an external database.' },
    { path: 'packages/server/src/db/listen.ts', uses: ['pg'], reason: 'Connects to it once more, to listen.' },
    {
      path: 'packages/server/src/db/embedded/',
      uses: ['pg'],
      reason: 'Speaks the protocol of PostgreSQL over a message port; no socket.',
    },
    { path: 'packages/web/src/api/client.ts', uses: ['fetch'], reason: 'The one caller of our own API.' },
    {
      path: 'packages/web/src/live/live-connection.ts',
      uses: ['EventSource'],
      reason: 'The one event stream of the web app.',
    },
  ] satisfies readonly (Exception & { uses: readonly string[] })[],
}

/** Ways to run text as code; refused everywhere, in tests too. */
export const codeFromText = {
  modules: ['node:vm', 'vm2', 'isolated-vm', 'node:repl', 'node:inspector'],
  globals: ['eval', 'Function'],
}

/** `import()` of what is known only at run time, in production code. */
export const computedImports: readonly Exception[] = [
  { path: 'packages/checks/src/run.ts', reason: 'Loads run.ts of a check type when it is first needed.' },
]

export const testSupport = {
  tests: /\.test\.tsx?$/,
  /** What only tests may import, wherever it stands. */
  paths: /(^|\/)(test-support|testing|fixtures|simulator)\/|(^|\/)test-[^/]*\.tsx?$|\.fixture\.tsx?$/,
  modules: ['vitest', 'fast-check', 'smtp-server', 'postal-mime', '@playwright/test', '@axe-core/playwright'],
}
