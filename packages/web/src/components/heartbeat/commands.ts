/** Lines to paste where the job runs. A job that fails sends no ping: the silence is what is noticed. */
export const commandsFor = (address: string): { title: string; command: string }[] => [
  { title: 'At the end of a script', command: `curl -fsS -m 10 --retry 5 -o /dev/null ${address}` },
  {
    title: 'In a crontab, every night at 03:30',
    command: `30 3 * * * /path/to/job && curl -fsS -m 10 --retry 5 -o /dev/null ${address}`,
  },
]
