import { Trans } from '@lingui/react/macro'
import { Wrench } from 'lucide-react'
import { useFormats } from '@/i18n/format'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Shows from when to when the platform is under maintenance. */
export default function MaintenancePage() {
  const start = useQueryParam('start')
  const end = useQueryParam('end')
  const { time } = useFormats()
  return (
    <StateView
      icon={Wrench}
      title={<Trans>System maintenance</Trans>}
      text={
        <>
          {start === '' || end === '' ? (
            <Trans>MEC2C is under maintenance and will be back soon.</Trans>
          ) : (
            <Trans>
              From <span className="whitespace-nowrap">{time(start)}</span> to{' '}
              <span className="whitespace-nowrap">{time(end)}</span>
            </Trans>
          )}
          <br />
          <Trans>Deadlines of active orders are extended accordingly.</Trans>
        </>
      }
      action={
        <AppLink to="/login" className={buttonClass('plain', 'normal', false)}>
          <Trans>Try again</Trans>
        </AppLink>
      }
    />
  )
}
