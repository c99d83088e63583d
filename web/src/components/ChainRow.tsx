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

/** Like `ChainRow`, for a payment on a chain that may be another one, which the explorer does not know. */
export function PaymentRow({
  chainType,
  ...row
}: {
  label: string
  kind: Kind
  value: string
  chainType: string | undefined
}) {
  const chains = useQuery(coinConfig).data?.chains
  const ours = chains?.some((one) => one.chainType === chainType && one.automatic)
  return ours === true ? (
    <ChainRow {...row} />
  ) : (
    <CopyRow label={row.label} value={row.value} shown={shorten(row.value)} />
  )
}

/** The shortened transaction or address within a text, as a link if there is a block explorer. */
export function ChainText({ kind, value }: { kind: Kind; value: string }): ReactNode {
  const link = linkTo(useCoins().explorer, kind, value)
  return link === undefined ? shorten(value) : <ExternalLink to={link}>{shorten(value)}</ExternalLink>
}

function linkTo(explorer: string | null, kind: Kind, value: string): string | undefined {
  return explorer === null ? undefined : `${explorer}/${kind}/${encodeURIComponent(value)}`
}
