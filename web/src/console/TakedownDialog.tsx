import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { read } from '@/api/createApi'
import { tradedText } from '@/api/nftName'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { api } from './client'
import { DecisionDialog } from './DecisionDialog'
import { ADS, userKey } from './queries'
import type { Ad } from './types'
import { useSnapshot } from './useSnapshot'

/** Takes an ad down. */
export function TakedownDialog({ ad: current, onClose }: { ad: Ad; onClose: () => void }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const { data: ad, snapshot } = useSnapshot(current)
  const owner = ad.ownerNickname ?? ad.ownerId
  return (
    <DecisionDialog
      title={t`Take the ad of ${owner} down`}
      confirm={t`Take the ad down`}
      dangerous
      moot={ad.removable ? '' : t`This ad takes no more orders. There’s nothing to take down.`}
      effects={
        <ul className="flex list-disc flex-col gap-1 pl-4">
          <li>
            <Trans>The ad leaves the hall at once and takes no more orders. It can’t come back.</Trans>
          </li>
          <li>
            {ad.runningOrders === 0 ? (
              <Trans>It has no open orders.</Trans>
            ) : (
              <Plural
                value={ad.runningOrders}
                one="Its open order continues."
                other="Its # open orders continue."
              />
            )}
          </li>
          <li>
            <Trans>
              What is left in escrow returns to the advertiser, or stays in custody for them while they can’t
              withdraw.
            </Trans>
            {compare(ad.remaining, '0') === 1 ? (
              <>
                {' '}
                <Trans>{tradedText(amount, ad, ad.remaining)} can still be ordered.</Trans>
              </>
            ) : null}
          </li>
          <li>
            <Trans>The advertiser may post other ads.</Trans>
          </li>
        </ul>
      }
      reasonHint={t`The advertiser sees this reason. It’s also in the audit log.`}
      about={{ version: ad.version, snapshot }}
      touches={[ADS, userKey(ad.ownerId)]}
      input={{}}
      run={(body, headers) =>
        read(api.POST('/console/adverts/{id}/takedown', { params: { path: { id: ad.id } }, body, headers }))
      }
      onClose={onClose}
    />
  )
}
