import type { ComponentProps } from 'react'
import { LoadFailed } from '@/command/LoadFailed'
import { useCoins } from '@/components/useCoins'
import HallPage from '@/features/market/HallPage'
import { settled, useHall } from '@/features/market/hallState'
import type Beside from '@/features/ordering/OrderingBeside'
import { loadCatalog } from '@/i18n/catalogs'
import { useOwnQueryParam } from '@/navigation/navigation'
import { loadable } from '@/ui/loadable'
import { DESKTOP, useMedia } from '@/ui/useMedia'

/** Not fetched by phones, where an order is placed on its own screen. */
const OrderingBeside = loadable<ComponentProps<typeof Beside>>(
  async () => {
    const texts = ['ordering', 'ending', 'trading'].map(loadCatalog)
    const [module] = await Promise.all([import('@/features/ordering/OrderingBeside'), ...texts])
    return module
  },
  (_, retry) => <LoadFailed retry={retry} />,
  <span />,
)

/** The hall, and on a desktop the order form of the selected ad beside it. NFTs have their own page. */
export default function HallScreen() {
  const { pairs } = useCoins()
  const nfts = settled(useHall(), pairs).wish === 'NFT'
  const ad = useOwnQueryParam('/', 'ad')
  const wanted = useOwnQueryParam('/', 'amount')
  const wide = useMedia(DESKTOP)
  return (
    <div
      className={
        nfts
          ? 'lg:mx-auto lg:max-w-[66rem]'
          : 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(20rem,28%,22rem)] lg:gap-6'
      }
    >
      <div className="min-w-0 lg:pt-2">
        <HallPage />
      </div>
      {wide && !nfts ? <OrderingBeside id={ad} wanted={wanted} /> : null}
    </div>
  )
}
