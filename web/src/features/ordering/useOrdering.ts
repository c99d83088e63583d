import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError, refusedFact } from '@/api/envelope'
import { keys } from '@/api/queries'
import type { OrderableAdvert, OrderPreview } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { isWrongSecurityPassword } from '@/components/SecurityPasswordField'
import { useStillMissing } from '@/components/trading/useStillMissing'
import type { Decimal } from '@/lib/decimal'
import { compare } from '@/lib/money'
import { useGo } from '@/navigation/navigation'
import type { OrderAmounts } from './orderAmounts'
import { isAboutAmount, previewKey, useOrderPreview } from './useOrderPreview'
import { usePayers } from './usePayers'

/** Returns the current price that a refusal reports. */
function reportedPrice(error: unknown): string | null {
  return isApiError(error) && error.code === '5043' ? refusedFact(error, 'price') : null
}

/** Returns whether an order was refused because its fee has changed. */
function isFeeChanged(error: unknown): boolean {
  return isApiError(error) && error.code === '5051'
}

interface Input {
  price: string
  fee?: string
  quantity: string
  paymentMethodId?: string
  payerMethodId?: string
  /** The security password. Only for an order that is paid from the temporary balance. */
  secret?: string
}

export type Ordering = ReturnType<typeof useOrdering>

/**
 * Places an order from an ad. A price or fee that has changed meanwhile must be confirmed.
 *
 * @param amountsAt returns the amounts at the price that the user has seen; null while there are none
 * @param onMissing called when the user lacks something that the order needs, which the screen lists
 */
export function useOrdering(
  advert: OrderableAdvert,
  amountsAt: (price: Decimal) => OrderAmounts | null,
  onMissing: () => void,
) {
  const client = useQueryClient()
  const go = useGo()
  const buying = advert.side === 'SELL'
  const [price, setPrice] = useState(advert.price)
  const [listed, setListed] = useState(advert.price)
  const [tried, setTried] = useState(false)
  const [refusedQuantity, setRefusedQuantity] = useState('')
  const [methodId, setMethodId] = useState('')
  const [payerId, setPayerId] = useState('')
  const [secret, setSecret] = useState('')
  const payers = usePayers(advert, methodId)
  const payer = payers.find((one) => one.id === payerId) ?? payers[0]
  const missing = useStillMissing(advert.missing)
  const deal = amountsAt(price)
  const wished = deal !== null && compare(deal.money, '0') === 1 ? deal : null
  const preview = useOrderPreview(advert.id, wished)
  // Show no amounts for an order that is not possible.
  const possible = preview.refusal === null ? wished : null
  const prefunding: OrderPreview['prefunding'] = preview.data?.prefunding ?? null
  const order = useCommand({
    run: async ({ secret, ...input }: Input, headers, seal) => {
      const proof = secret === undefined ? {} : { securityCode: await seal(secret) }
      return read(api.POST('/c2c/deal/order', { body: { advertId: advert.id, ...input, ...proof }, headers }))
    },
    touches: [keys.orders, keys.hall, keys.nfts],
    done: (made) => go.replace('/orderDetail', { id: made.id }),
    refused: (error) => {
      if (isFeeChanged(error)) void client.invalidateQueries({ queryKey: previewKey(advert.id) })
      if (reportedPrice(error) !== null || isFeeChanged(error)) return true
      return isAboutAmount(error) || isWrongSecurityPassword(error)
    },
  })
  // A new price, from the refusal or from the ad, must be confirmed. So must a new fee.
  const newPrice = advert.price === listed || advert.price === price ? null : advert.price
  const changed = reportedPrice(order.error) ?? newPrice
  const feeChanged = changed === null && isFeeChanged(order.error)
  // Another amount than the one that was refused may be all right.
  const amountRefused = isAboutAmount(order.error) && refusedQuantity === wished?.quantity
  const submit = () => {
    setTried(true)
    if (missing.length > 0) return onMissing()
    if (possible === null || (buying && preview.data === undefined)) return
    if (prefunding !== null && secret === '') return
    setRefusedQuantity(possible.quantity)
    order.send({
      price,
      ...(buying && preview.data !== undefined ? { fee: preview.data.fee } : {}),
      quantity: possible.quantity,
      ...(methodId === '' ? {} : { paymentMethodId: methodId }),
      ...(payer === undefined ? {} : { payerMethodId: payer.id }),
      ...(prefunding === null ? {} : { secret }),
    })
  }
  const confirmPrice = () => {
    if (changed !== null) setPrice(changed)
    setListed(advert.price)
    order.clear()
  }
  return {
    buying,
    price,
    deal,
    wished,
    possible,
    preview,
    prefunding,
    missing,
    tried,
    order,
    changed,
    feeChanged,
    /** Why there can be no order of this amount, if there cannot. */
    amountRefusal: preview.refusal ?? (amountRefused ? order.error : null),
    methodId,
    setMethodId,
    payers,
    payer,
    setPayerId,
    secret,
    setSecret,
    submit,
    confirmPrice,
  }
}
