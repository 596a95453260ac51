import type { AssetPlace, AssetStore } from '../src/assets/asset-store.ts'

/** Contents of assets, in memory. */
export function memoryAssets(): AssetStore & { size(): number } {
  const contents = new Map<string, { dueAt: number; content: Buffer }>()
  const keyOf = ({ resultId, name }: AssetPlace) => `${resultId}/${name}`
  return {
    put: async (place, content) => void contents.set(keyOf(place), { dueAt: place.dueAt, content }),
    read: async (place) => contents.get(keyOf(place))?.content,
    async removeBefore(time) {
      for (const [key, { dueAt }] of contents) if (dueAt < time.getTime()) contents.delete(key)
    },
    size: () => contents.size,
  }
}
