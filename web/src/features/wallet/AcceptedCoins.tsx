import { Trans, useLingui } from '@lingui/react/macro'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Coin, CoinConfig } from '@/api/types'
import { ChainText } from '@/components/ChainRow'
import { useFormats } from '@/i18n/format'
import { compare } from '@/lib/money'
import { Card, CardTitle } from '@/ui/Card'

/** What can be sent to the escrow address, and what cannot. */
export function AcceptedCoins({ config: { chains, coins, escrowChain } }: { config: CoinConfig }) {
  const { t } = useLingui()
  const accepted = coins.filter((one) => escrowChain !== null && one.chainId === escrowChain.chainId)
  // Users may be paid there, but the platform has no addresses there.
  const others = chains.filter((one) => !one.automatic).map((one) => one.name)
  return (
    <Card>
      <CardTitle>
        <Trans>What you can send</Trans>
      </CardTitle>
      <ul aria-label={t`Accepted`}>
        {accepted.map((coin) => (
          <AcceptedCoin key={coin.enShort} coin={coin} />
        ))}
      </ul>
      <ul aria-label={t`Not accepted`}>
        {others.map((name) => (
          <Row key={name} refused title={<Trans>Anything on {name}</Trans>}>
            <Trans>Coins of the same name on another chain don’t arrive here.</Trans>
          </Row>
        ))}
        <Row refused title={<Trans>Other tokens and NFTs</Trans>}>
          <Trans>Compare the contract of a token: anyone can give a token the same name.</Trans>
        </Row>
      </ul>
    </Card>
  )
}

function AcceptedCoin({ coin }: { coin: Coin }) {
  const { amount } = useFormats()
  const fee = `${amount(coin.returnGas)} ${coin.enShort}`
  const album = coin.kind === 'erc721'
  return (
    <Row title={album ? <Trans>NFTs of the album {coin.enShort}</Trans> : coin.enShort}>
      {coin.contract === null ? (
        <Trans>The coin of the chain itself.</Trans>
      ) : (
        <Trans>
          Contract <ChainText kind="address" value={coin.contract} />
        </Trans>
      )}
      {compare(coin.returnGas, '0') === 1 ? (
        <span className="block">
          <Trans>Send more than {fee}: a withdrawal costs as much in network fees.</Trans>
        </span>
      ) : null}
    </Row>
  )
}

function Row({
  title,
  refused = false,
  children,
}: {
  title: ReactNode
  refused?: boolean
  children: ReactNode
}) {
  const Icon = refused ? X : Check
  return (
    <li className="flex gap-3 border-line border-b py-3 last:border-0">
      <Icon
        size={18}
        strokeWidth={2.5}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${refused ? 'text-sell' : 'text-brand'}`}
      />
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <div className="text-muted text-sm leading-relaxed">{children}</div>
      </div>
    </li>
  )
}
