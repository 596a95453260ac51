import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { callPage } from './client.ts'

const pageLength = 100

/** A page list that is read further by the reader. Its parts are kept under `[name]`. */
export function usePaged<T>(name: string, path: string, query: Record<string, string> = {}) {
  const list = useInfiniteQuery({
    queryKey: [name, query],
    queryFn: ({ pageParam }) => callPage<T>(path, { ...query, limit: pageLength, page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * pageLength < total ? pages.length + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  return {
    items: list.data?.pages.flatMap(({ items }) => items) ?? [],
    /** Of all that match; undefined until they were counted. */
    total: list.data?.pages.at(-1)?.total,
    fault: list.error?.message,
    retry: () => void list.refetch(),
    isPending: list.isPending,
    hasMore: list.hasNextPage,
    isReadingMore: list.isFetchingNextPage,
    readMore: () => void list.fetchNextPage(),
  }
}

export type Paged<T> = ReturnType<typeof usePaged<T>>
