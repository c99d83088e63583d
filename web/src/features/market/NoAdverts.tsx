import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import { AppLink } from '@/navigation/navigation'
import { Button, buttonClass } from '@/ui/Button'
import { EmptyState } from '@/ui/State'
import { filterHall, type HallFilter, isFiltered, sideFor, unfiltered } from './hallState'

/** Explains an empty list: the filters, the user's own ads, or no ads at all. */
export default function NoAdverts({ hall }: { hall: HallFilter }) {
  const nfts = hall.wish === 'NFT'
  const mine = useQuery({
    queryKey: [...keys.adverts, 'online', hall.base, hall.quote],
    queryFn: () => read(api.GET('/c2c/advert/pageByUser', { params: { query: { page: 1, size: 100 } } })),
    enabled: !isFiltered(hall),
  })
  if (isFiltered(hall)) {
    return (
      <EmptyState
        title={<Trans>No matching ads</Trans>}
        text={<Trans>No one is offering this right now. Try different filters, or post your own ad.</Trans>}
        action={
          <Button tone="plain" onClick={() => filterHall(unfiltered(hall))}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      />
    )
  }
  const own = mine.data?.records.some(
    (one) =>
      one.state === 'ONLINE' &&
      (nfts ? one.nft !== null : one.base === hall.base) &&
      one.quote === hall.quote &&
      one.side === sideFor(hall.wish),
  )
  return own === true ? (
    <EmptyState
      title={<Trans>Only your own ads</Trans>}
      text={<Trans>Others can see your ads here, but you can’t order from yourself.</Trans>}
      action={
        <AppLink to="/myAdvert" className={buttonClass('plain', 'normal', false)}>
          <Trans>View my ads</Trans>
        </AppLink>
      }
    />
  ) : (
    <EmptyState
      title={<Trans>No ads yet</Trans>}
      text={<Trans>No one is offering this right now. Post your own ad and let others come to you.</Trans>}
      action={
        <AppLink
          to="/publish"
          query={{ side: nfts ? 'SELL' : hall.wish }}
          className={buttonClass('plain', 'normal', false)}
        >
          <Trans>Post an ad</Trans>
        </AppLink>
      }
    />
  )
}
