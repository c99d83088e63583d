import type { ComponentProps } from 'react'
import { loadCatalog } from '@/i18n/catalogs'
import { loadable } from '@/ui/loadable'
import type Line from './nft/NftLine'
import { nftName } from './nftName'

/** An NFT in one line. Fetched when the first one is shown, because most users see only coins. */
export const NftLine = loadable<ComponentProps<typeof Line>>(
  async () => {
    const [line] = await Promise.all([import('./nft/NftLine'), loadCatalog('nft')])
    return line
  },
  ({ nft }) => <span className="flex min-h-12 items-center font-semibold">{nftName(nft)}</span>,
  <span aria-hidden="true" className="block h-12" />,
)
