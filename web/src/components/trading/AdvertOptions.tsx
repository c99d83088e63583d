import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { TakerRequirements } from '@/api/types'
import { useRegionName } from '@/components/useRegionName'
import { Pill } from '@/ui/Badge'

/** What an advertiser has added to an ad: a remark, and who can order from it. */
export function AdvertOptions({
  of: { remark, takerRequirements },
}: {
  of: { remark: string | null; takerRequirements: TakerRequirements }
}) {
  return (
    <>
      {remark === null || remark === '' ? null : (
        <p className="mt-3 border-line border-t pt-3 text-sm [overflow-wrap:anywhere]">“{remark}”</p>
      )}
      <WhoCanOrder required={takerRequirements} />
    </>
  )
}

function WhoCanOrder({ required }: { required: TakerRequirements }) {
  const { t } = useLingui()
  const regionName = useRegionName()
  const { completedOrders: least = null, advancedVerification = false, region = null } = required
  if (least === null && !advancedVerification && region === null) return null
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t pt-3">
      <span aria-hidden="true" className="text-muted text-sm">
        <Trans>Only for traders with</Trans>
      </span>
      <ul aria-label={t`Only for traders with`} className="flex flex-wrap gap-1.5">
        {least === null ? null : (
          <li>
            <Pill>
              <Plural value={least} one="#+ order in 30 days" other="#+ orders in 30 days" />
            </Pill>
          </li>
        )}
        {advancedVerification ? (
          <li>
            <Pill>
              <Trans>Advanced verification</Trans>
            </Pill>
          </li>
        ) : null}
        {region === null ? null : (
          <li>
            <Pill>
              <Trans>Region: {regionName(region)}</Trans>
            </Pill>
          </li>
        )}
      </ul>
    </div>
  )
}
