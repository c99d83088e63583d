import { Trans } from '@lingui/react/macro'
import { ExternalLinkIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** A link to another site in a new tab, which learns nothing about this page. */
export function ExternalLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer noopener"
      className="inline-flex min-h-6 items-center gap-1 text-brand underline-offset-4 hover:underline [overflow-wrap:anywhere]"
    >
      {children}
      <ExternalLinkIcon size={14} aria-hidden="true" className="shrink-0" />
      <span className="sr-only">
        <Trans>opens another site in a new tab</Trans>
      </span>
    </a>
  )
}
