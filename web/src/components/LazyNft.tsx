import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { nftName } from '@/api/nftName'
import { loadCatalog } from '@/i18n/catalogs'
import { loadable } from '@/ui/loadable'
import type Line from './nft/NftLine'
import type Thumb from './nft/NftThumb'

/** Returns a component about NFTs, whose code and texts are fetched when it is first shown, because most users see only coins. */
export function lazyNft<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  failed: (props: P, retry: () => void) => ReactNode,
  pending: ReactNode = null,
): ComponentType<P> {
  return loadable<P>(
    async () => {
      const [part] = await Promise.all([load(), loadCatalog('nft')])
      return part
    },
    failed,
    pending,
  )
}

/** An NFT in one line. */
export const LazyNftLine = lazyNft<ComponentProps<typeof Line>>(
  () => import('./nft/NftLine'),
  ({ nft }) => <span className="flex min-h-12 items-center font-semibold">{nftName(nft)}</span>,
  // A link around it needs a name meanwhile.
  <span className="block h-12">
    <span className="sr-only">NFT</span>
  </span>,
)

/** The small picture of an NFT, within a line of text. */
export const LazyNftThumb = lazyNft<ComponentProps<typeof Thumb>>(
  () => import('./nft/NftThumb'),
  () => null,
  <span aria-hidden="true" className="block size-7 shrink-0" />,
)
