import { Trans } from '@lingui/react/macro'
import { AppLink } from '@/navigation/navigation'
import { Gap } from '@/ui/Gap'

/** When temporary balance can be withdrawn, said wherever temporary balance is. The link leads to what prevents it. */
export function WithdrawCondition({ linked = true }: { linked?: boolean }) {
  return (
    <>
      <Trans>
        You can use temporary balance for an ad or order, or withdraw it to your bound address once all your
        ads have ended and all your orders are finished.
      </Trans>
      {linked ? (
        <>
          <Gap />
          <AppLink
            to="/fundRecord"
            className="inline-block font-semibold text-brand underline underline-offset-4"
          >
            <Trans>Use or withdraw</Trans>
          </AppLink>
        </>
      ) : null}
    </>
  )
}
