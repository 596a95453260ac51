import { request } from 'node:http'
import type { LiveEvent } from '@vedette/wire'

export interface LiveEvents {
  /** Why the stream ended too early; undefined while it lasts. */
  failure(): string | undefined
  close(): void
}

/** The events of the server, as an open page gets them. */
export function listenLive(url: string, apiKey: string, on: (event: LiveEvent) => void): LiveEvents {
  let failure: string | undefined
  let isOver = false
  const end = (reason: string) => {
    if (!isOver) failure = reason
  }
  const call = request(`${url}/v1/live`, { headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
    if (response.statusCode !== 200) end(`the server answered ${response.statusCode}`)
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) if (block.startsWith('data: ')) on(JSON.parse(block.slice(6)) as LiveEvent)
    })
    response.on('close', () => end('the server ended the stream of live events'))
  })
  call.on('error', (error) => end(error.message))
  call.end()
  return {
    failure: () => failure,
    close() {
      isOver = true
      call.destroy()
    },
  }
}
