import type { Snippet } from '@vedette/wire'
import { call, callAll } from './client.ts'

/** All snippets of the account, by name. */
export const snippetsQuery = {
  queryKey: ['snippets', 'all'],
  queryFn: async () => (await callAll<Snippet>('/v1/snippets')).toSorted((a, b) => a.name.localeCompare(b.name)),
  staleTime: 30_000,
}

export const snippetQuery = (id: number) => ({
  queryKey: ['snippets', id],
  queryFn: () => call<Snippet>('GET', `/v1/snippets/${id}`),
})
