import { Trans } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { AppLink, useCurrentHref } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { StateView } from '@/ui/State'

/** Asks the user to set the security password that a change needs, and to return. `text` says what for. */
export function SecurityPasswordFirst({ text }: { text: ReactNode }) {
  const here = useCurrentHref()
  return (
    <StateView
      icon={KeyRound}
      title={<Trans>Set a security password first</Trans>}
      text={text}
      action={
        <AppLink
          to="/updateSecurityPassword"
          query={{ next: here }}
          className={buttonClass('brand', 'normal', false)}
        >
          <Trans>Set a security password</Trans>
        </AppLink>
      }
    />
  )
}
