const lacks: Readonly<Record<string, string>> = {
  EMFILE: 'this process has no file descriptor left',
  ENFILE: 'this machine has no file descriptor left',
  ENOBUFS: 'this machine has no network buffers left',
  ENOMEM: 'this machine has no memory left',
  ENETDOWN: 'the network interface of this machine is down',
}

/** What this machine lacks when a socket cannot be opened for a reason that no target can cause; else undefined. */
export const lackOf = (code: string | undefined): string | undefined => (code === undefined ? code : lacks[code])
