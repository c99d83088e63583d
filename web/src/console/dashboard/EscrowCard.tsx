import { Plural, Trans } from '@lingui/react/macro'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useFormats } from '@/i18n/format'
import { Line, Notice } from '@/ui/Card'
import type { Dashboard } from '../types'
import { AsOf, FigureCard } from './Figures'
import { fromUnits } from './units'

type Escrow = NonNullable<Dashboard['escrow']>
type EscrowAsset = Escrow['assets'][number]

/** What the vaults hold on the chain against what the ledger says, from the latest comparison. */
export function EscrowCard({ escrow }: { escrow: Escrow | null }) {
  const { count } = useFormats()
  const title = <Trans>Escrow on-chain against the ledger</Trans>
  if (escrow === null)
    return (
      <FigureCard title={title} aside={null} className="lg:col-span-2">
        <Notice tone="warn" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <Trans>The worker has not compared the vaults with the chain yet.</Trans>
        </Notice>
      </FigureCard>
    )
  const first = count(escrow.firstBlock)
  const last = count(escrow.lastBlock)
  return (
    <FigureCard
      title={title}
      aside={<AsOf at={escrow.endedAt} staleAt={escrow.staleAt} />}
      className="lg:col-span-2"
    >
      {escrow.assets.length === 0 ? (
        <p className="text-muted">
          <Trans>There are no vaults yet.</Trans>
        </p>
      ) : (
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          {escrow.assets.map((asset) => (
            <Asset key={asset.asset} asset={asset} />
          ))}
        </div>
      )}
      <p className="mt-3 text-muted text-sm">
        {first === last ? (
          <Trans>Compared at block {last}.</Trans>
        ) : (
          <Trans>
            Compared at blocks {first} to {last}.
          </Trans>
        )}
      </p>
    </FigureCard>
  )
}

function Asset({ asset: found }: { asset: EscrowAsset }) {
  const { amount } = useFormats()
  const { asset, decimals } = found
  const shown = (units: string) => amount(fromUnits(units, decimals), decimals)
  const missing = found.difference.startsWith('-') || found.short > 0
  const differs = found.difference !== '0'
  return (
    <section aria-label={asset}>
      <h3 className="flex flex-wrap items-center justify-between gap-x-3 font-semibold">
        {asset}
        <Verdict found={found} />
      </h3>
      <dl className="tabular-nums">
        <Line label={<Trans>On-chain</Trans>}>{shown(found.onChain)}</Line>
        <Line label={<Trans>In the ledger</Trans>}>{shown(found.inLedger)}</Line>
        <Line label={<Trans>Difference</Trans>}>
          <span className={missing ? 'font-semibold text-sell' : differs ? 'font-semibold text-warn' : ''}>
            {found.difference.startsWith('-') || !differs ? '' : '+'}
            {shown(found.difference)}
          </span>
        </Line>
      </dl>
    </section>
  )
}

/** Says in words what the comparison of an asset found. */
function Verdict({ found }: { found: EscrowAsset }) {
  const { short, unknown, leftOut, vaults } = found
  const uncovered = unknown + leftOut
  return (
    <span className="flex flex-wrap gap-x-3 font-normal text-sm">
      {short > 0 ? (
        <span className="font-semibold text-sell">
          <Plural value={short} one="# vault holds too little" other="# vaults hold too little" />
        </span>
      ) : vaults === 0 ? null : found.difference === '0' ? (
        <span className="flex items-center gap-1 text-brand">
          <CircleCheck size={15} aria-hidden="true" />
          <Plural value={vaults} one="# vault agrees" other="# vaults agree" />
        </span>
      ) : (
        <span className="text-warn">
          <Trans>More is held on-chain</Trans>
        </span>
      )}
      {uncovered === 0 ? null : (
        <span className="font-semibold text-warn">
          <Plural
            value={uncovered}
            one="# vault could not be compared"
            other="# vaults could not be compared"
          />
        </span>
      )}
    </span>
  )
}
