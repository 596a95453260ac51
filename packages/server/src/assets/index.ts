export { folderAssets, type AssetStore } from './asset-store.ts'
export {
  bytesOfAssets,
  deleteAssetsBefore,
  insertAsset,
  readAssets,
  type Asset,
  type AssetOfResult,
  type AssetOwner,
} from './store.ts'
