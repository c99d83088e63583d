import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { coinConfig } from '@/api/queries'
import { shorten } from '@/lib/text'
import { CopyRow } from '@/ui/CopyButton'
import { ExternalLink } from '@/ui/ExternalLink'
import { useCoins } from './useCoins'

/** What a block explorer knows of the escrow chain. */
type Kind = 'tx' | 'address'

/** A transaction or an address of the escrow chain, which can be copied, and looked up if there is a block explorer. */
export function ChainRow({ label, kind, value }: { label: string; kind: Kind; value: string }) {
  const { explorer } = useCoins()
  return <CopyRow label={label} value={value} shown={shorten(value)} link={linkTo(explorer, kind, value)} />
}

/** Like `ChainRow`, for a payment on a chain that may be another one, with an explorer of its own or none. */
export function PaymentRow({
  chainType,
  label,
  kind,
  value,
}: {
  label: string
  kind: Kind
  value: string
  chainType: string | undefined
}) {
  const chain = useQuery(coinConfig).data?.chains.find((one) => one.chainType === chainType)
  const link = linkTo(chain?.explorer ?? null, kind, value)
  return <CopyRow label={label} value={value} shown={shorten(value)} link={link} />
}

/** The shortened transaction or address within a text, as a link if there is a block explorer. */
export function ChainText({ kind, value }: { kind: Kind; value: string }): ReactNode {
  const link = linkTo(useCoins().explorer, kind, value)
  return link === undefined ? shorten(value) : <ExternalLink to={link}>{shorten(value)}</ExternalLink>
}

function linkTo(explorer: string | null, kind: Kind, value: string): string | undefined {
  return explorer === null ? undefined : `${explorer}/${kind}/${encodeURIComponent(value)}`
}
