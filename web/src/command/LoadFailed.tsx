import { useLingui } from '@lingui/react/macro'
import { ErrorState } from '@/ui/State'
import { useOnline } from './connection'

/** Shown in place of a page, or a part of one, whose code could not be fetched. */
export function LoadFailed({ retry }: { retry: () => void }) {
  const { t } = useLingui()
  const online = useOnline()
  return (
    <ErrorState
      why={online ? 'unreachable' : 'offline'}
      text={t`This page couldn’t be loaded.`}
      // After an update of the app, only a reload finds the code of the page.
      retry={online ? () => location.reload() : retry}
    />
  )
}
