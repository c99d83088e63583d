import type { ComponentProps } from 'react'
import { nftName } from '@/api/nftName'
import { loadCatalog } from '@/i18n/catalogs'
import { loadable } from '@/ui/loadable'
import type Line from './nft/NftLine'
import type Thumb from './nft/NftThumb'

// Fetched when the first NFT is shown, because most users see only coins.

/** An NFT in one line. */
export const LazyNftLine = loadable<ComponentProps<typeof Line>>(
  async () => {
    const [line] = await Promise.all([import('./nft/NftLine'), loadCatalog('nft')])
    return line
  },
  ({ nft }) => <span className="flex min-h-12 items-center font-semibold">{nftName(nft)}</span>,
  // A link around it needs a name meanwhile.
  <span className="block h-12">
    <span className="sr-only">NFT</span>
  </span>,
)

/** The small picture of an NFT, within a line of text. */
export const LazyNftThumb = loadable<ComponentProps<typeof Thumb>>(
  async () => {
    const [thumb] = await Promise.all([import('./nft/NftThumb'), loadCatalog('nft')])
    return thumb
  },
  () => null,
  <span aria-hidden="true" className="block size-7 shrink-0" />,
)
