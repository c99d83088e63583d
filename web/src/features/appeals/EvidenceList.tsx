import { Trans, useLingui } from '@lingui/react/macro'
import type { Appeal, Order } from '@/api/types'
import { Gallery } from '@/components/files/Gallery'
import { Card, CardTitle } from '@/ui/Card'

/** The evidence of both parties. */
export function EvidenceList({ order, appeal }: { order: Order; appeal: Appeal }) {
  const { t } = useLingui()
  const of = (mine: boolean) =>
    appeal.evidence.filter((one) => (one.by === order.role) === mine).map((one) => one.file)
  const [own, other] = [of(true), of(false)]
  const nickname = order.counterparty.nickname
  if (appeal.evidence.length === 0) return null
  return (
    <Card className="flex flex-col gap-4">
      {own.length === 0 ? null : (
        <div>
          <CardTitle>
            <Trans>Your evidence</Trans>
          </CardTitle>
          <Gallery files={own} title={t`Your evidence`} />
        </div>
      )}
      {other.length === 0 ? null : (
        <div>
          <CardTitle>
            <Trans>Evidence from {nickname}</Trans>
          </CardTitle>
          <Gallery
            files={other}
            title={t`Evidence from ${nickname}`}
            warning={(file) => (file.usedBefore ? t`Used before` : '')}
          />
        </div>
      )}
    </Card>
  )
}
