import type { PostJson } from '../../../../agent/test-support/simulated-agent.ts'
import type { Life, Traffic } from '../mortal.ts'
import type { Random } from '../random.ts'
import type { TestClock } from '../../clock.ts'
import type { AgentRoutes } from './agent-routes.ts'

type Post = Parameters<PostJson>[0]
type Answer = Awaited<ReturnType<PostJson>>

/** A server as the network sees it. `life` is undefined while its process is down. */
export interface Address {
  routes: AgentRoutes
  readonly life: Life | undefined
  readonly isLeading: boolean
}

/** The way of one agent to the servers, and what is wrong with it. */
export interface Link {
  /** `refused` breaks at once, `silent` swallows messages in both directions. */
  cut: 'refused' | 'silent' | undefined
  /** Messages are delayed, lost and doubled now and then. */
  unreliable: boolean
}

export interface NetworkOptions {
  clock: TestClock
  traffic: Traffic
  addresses: readonly Address[]
}

interface Caller {
  link: Link
  life: Life
  random: Random
}

/** Carries the messages of one agent to the server it is connected to, or to the next one when that is away. */
export function postOver({ clock, traffic, addresses }: NetworkOptions, { link, life, random }: Caller): PostJson {
  let at = 0
  const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
  const transit = () => wait(link.unreliable && random.chance(0.05) ? random.between(200, 4000) : random.between(1, 40))

  /** One request on a connection of its own. Never settles when the network swallows it. */
  const exchange = async (post: Post, address: Address, gone: AbortController): Promise<Answer> => {
    await transit()
    const { life: server } = address
    if (link.cut === 'silent') return new Promise(() => undefined)
    if (link.cut === 'refused' || server === undefined) throw refused()
    const { comes, forget } = server.death()
    try {
      // The kernel of a paused process accepts connections.
      await Promise.race([new Promise<void>((resolve) => server.run(resolve)), comes])
      if (gone.signal.aborted) throw refused()
      traffic.stir()
      const request = { path: post.url.pathname, key: post.key, body: post.body }
      const answer = await Promise.race([address.routes.post(request, gone.signal), comes])
      await Promise.race([new Promise<void>((resolve) => server.run(resolve)), comes])
      await transit()
      traffic.stir()
      if (link.cut === 'silent') return await new Promise(() => undefined)
      if (link.cut === 'refused' || (link.unreliable && random.chance(0.02))) throw new Error('socket hang up')
      return answer
    } catch (error) {
      traffic.stir()
      throw error instanceof Error && 'code' in error ? error : new Error('read ECONNRESET', { cause: error })
    } finally {
      forget()
    }
  }

  const overOne = async (post: Post, gone: AbortController): Promise<Answer> => {
    const address = addresses[at % addresses.length]
    if (address === undefined) throw refused()
    const isDoubled = link.unreliable && post.url.pathname.endsWith('/results') && random.chance(0.05)
    if (isDoubled) exchange(post, address, new AbortController()).catch(() => undefined)
    try {
      const answer = await exchange(post, address, gone)
      if (answer.status === 503) at++
      return answer
    } catch (error) {
      at++
      throw error
    }
  }

  return (post) =>
    new Promise((resolve, reject) => {
      const gone = new AbortController()
      const finish = (settle: () => void) => {
        cancel()
        forget()
        for (const signal of post.signals) signal.removeEventListener('abort', giveUp)
        life.run(settle)
      }
      const hangUp = (reason: string) => {
        // The end of a connection that the network swallows does not reach the server.
        if (link.cut !== 'silent') gone.abort()
        finish(() => reject(new Error(reason)))
      }
      const giveUp = () => hangUp('given up')
      const { comes, forget } = life.death()
      const cancel = clock.after(post.timeoutMs, () => {
        at++
        hangUp(`no answer within ${post.timeoutMs / 1000} s`)
      })
      if (post.signals.some(({ aborted }) => aborted)) return giveUp()
      for (const signal of post.signals) signal.addEventListener('abort', giveUp)
      comes.catch(() => {
        cancel()
        if (link.cut !== 'silent') gone.abort()
      })
      overOne(post, gone).then(
        (answer) => finish(() => resolve(answer)),
        (error: unknown) => finish(() => reject(error instanceof Error ? error : new Error(String(error)))),
      )
    })
}

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })
