import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { read } from '@/api/createApi'
import { tradedText } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { useLabels } from './labels'
import { Loaded, Page } from './Page'
import { ADS } from './queries'
import { ConsoleLink, hrefTo, usePlace } from './routing'
import { SearchField } from './SearchField'
import { TakedownDialog } from './TakedownDialog'
import type { Ad } from './types'

/** Finds ads, and takes bad ones down. */
export function AdsPage() {
  const { t } = useLingui()
  const { query } = usePlace()
  const asked = query.get('query') ?? ''
  return (
    <Page title={<Trans>Ads</Trans>}>
      <SearchField
        key={asked}
        label={t`Find an ad`}
        hint={t`An ad ID, or the ID or a part of the nickname of the advertiser. Press / to search.`}
        asked={asked}
        search={(text) => navigate(hrefTo('/console/ads', { query: text }))}
        autoFocus={asked === ''}
      />
      {asked === '' ? (
        <EmptyState
          icon={Megaphone}
          title={<Trans>Which ad do you want to see?</Trans>}
          text={<Trans>You can take an ad down that breaks the rules. Its owner sees your reason.</Trans>}
        />
      ) : (
        <Found asked={asked} />
      )}
    </Page>
  )
}

function Found({ asked }: { asked: string }) {
  const { t } = useLingui()
  const { amount, time } = useFormats()
  const [chosen, setChosen] = useState<Ad | null>(null)
  const found = useQuery({
    queryKey: [...ADS, asked],
    queryFn: () => read(api.GET('/console/adverts', { params: { query: { query: asked } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={found}>
      {(ads) => (
        <>
          {ads.length === 0 ? (
            <EmptyState
              title={<Trans>No ad found</Trans>}
              text={
                <Trans>
                  By their advertiser, only ads that have not ended are found. A part of a nickname has at
                  least two characters.
                </Trans>
              }
            />
          ) : (
            <DataTable
              label={t`Ads`}
              rows={ads}
              rowKey={(ad) => ad.id}
              columns={[
                {
                  title: t`Ad`,
                  cell: (ad) => (
                    <div className="flex flex-col">
                      <span className="font-semibold">
                        {ad.side === 'SELL' ? (
                          <Trans>Sells {tradedText(amount, ad, ad.remaining)}</Trans>
                        ) : (
                          <Trans>Buys {tradedText(amount, ad, ad.remaining)}</Trans>
                        )}
                      </span>
                      <span className="text-muted">
                        {amount(ad.price)} {ad.quote} · {time(ad.createdAt)}
                      </span>
                    </div>
                  ),
                },
                {
                  title: t`Advertiser`,
                  cell: (ad) => (
                    <ConsoleLink to={`/console/users/${ad.ownerId}`}>
                      {ad.ownerNickname ?? t`No nickname`}
                    </ConsoleLink>
                  ),
                },
                {
                  title: t`Remark`,
                  cell: (ad) => (
                    <span className="block max-w-72 whitespace-pre-wrap [overflow-wrap:anywhere]">
                      {ad.remark ?? '–'}
                    </span>
                  ),
                },
                { title: t`Open orders`, right: true, cell: (ad) => ad.runningOrders },
                { title: t`Status`, cell: (ad) => <Standing ad={ad} /> },
                {
                  title: t`Decision`,
                  cell: (ad) =>
                    ad.removable ? (
                      <Button
                        tone="danger"
                        size="small"
                        onClick={() => setChosen(ad)}
                        className="whitespace-nowrap"
                      >
                        <Trans>Take down…</Trans>
                      </Button>
                    ) : null,
                },
              ]}
            />
          )}
          {chosen === null ? null : (
            <TakedownDialog
              ad={ads.find((ad) => ad.id === chosen.id) ?? { ...chosen, removable: false }}
              onClose={() => setChosen(null)}
            />
          )}
        </>
      )}
    </Loaded>
  )
}

function Standing({ ad }: { ad: Ad }) {
  const { advertState } = useLabels()
  return (
    <div className="flex max-w-60 flex-col items-start gap-1">
      <Pill tone={ad.state === 'ONLINE' ? 'good' : 'neutral'}>{advertState(ad.state)}</Pill>
      {ad.frozen ? (
        <Pill tone="warn">
          <Trans>Frozen</Trans>
        </Pill>
      ) : null}
      {ad.takenDown === null ? null : (
        <span className="text-sell [overflow-wrap:anywhere]">
          <Trans>Taken down: {ad.takenDown.reason}</Trans>
        </span>
      )}
    </div>
  )
}
