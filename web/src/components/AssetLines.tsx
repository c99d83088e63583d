import { Trans, useLingui } from '@lingui/react/macro'
import { Fragment } from 'react'
import type { BalanceLine } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { add, compare } from '@/lib/money'
import { Notice } from '@/ui/Card'
import { useCoins } from './useCoins'

/** The user's coins by asset, without NFTs: the temporary balance, and the coins in ads and orders. */
export function AssetLines({
  lines,
  renderAction,
}: {
  lines: readonly BalanceLine[]
  renderAction?: (line: BalanceLine) => React.ReactNode
}) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const { isAlbum } = useCoins()
  return (
    <ul>
      {lines
        .filter(({ asset }) => !isAlbum(asset))
        .map((line) => {
          const bound: [string, string][] = [
            [line.inAdverts, t`${amount(line.inAdverts)} in ads`],
            [line.inOrders, t`${amount(line.inOrders)} in orders`],
            [line.inFlight, t`${amount(line.inFlight)} on the way`],
            [line.confirming, t`${amount(line.confirming)} being confirmed`],
          ]
          const some = bound.filter(([value]) => compare(value, '0') === 1)
          const whole = bound.reduce((sum, [value]) => add(sum, value) ?? sum, line.temporary)
          return (
            <li key={line.asset} className="border-line border-b py-3 last:border-0">
              <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
                <div className="min-w-0 flex-[1_1_11rem]">
                  <p className="font-semibold text-lg">
                    {amount(whole)} {line.asset}
                  </p>
                  <p className="text-muted text-sm leading-relaxed">
                    <Trans>{amount(line.temporary)} temporary balance</Trans>
                    {some.map(([, text]) => (
                      <Fragment key={text}>
                        {' · '}
                        <span className="inline-block">{text}</span>
                      </Fragment>
                    ))}
                  </p>
                </div>
                {renderAction?.(line)}
              </div>
              {compare(line.debt, '0') === 1 ? (
                <div className="mt-3">
                  <Notice tone="danger">
                    <Trans>
                      You owe {amount(line.debt)} {line.asset}: your deposit was reversed on-chain after it
                      had been paid out. Send it again. Anything that arrives at your escrow address repays
                      this first.
                    </Trans>
                  </Notice>
                </div>
              ) : null}
            </li>
          )
        })}
    </ul>
  )
}
