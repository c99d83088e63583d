import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Wrench } from 'lucide-react'
import { api, read } from '@/api/client'
import { useFormats } from '@/i18n/format'
import { AppLink, useQueryParam } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** How often the page looks whether the maintenance is over. */
const LOOK_MS = 30_000

/** Shows from when to when the platform is under maintenance, or that it is open. */
export default function MaintenancePage() {
  const start = useQueryParam('start')
  const end = useQueryParam('end')
  const { time } = useFormats()
  const { isSuccess: isOpen } = useQuery({
    queryKey: ['isOpen'],
    // Any call that is refused during maintenance will do.
    queryFn: () => read(api.GET('/market/overview')),
    refetchInterval: LOOK_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (isOpen) {
    return (
      <StateView
        live="status"
        icon={CircleCheck}
        title={<Trans>MEC2C is open</Trans>}
        text={<Trans>There’s no maintenance at the moment.</Trans>}
        action={
          <AppLink to="/" className={buttonClass('brand', 'normal', false)}>
            <Trans>Continue</Trans>
          </AppLink>
        }
      />
    )
  }
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
