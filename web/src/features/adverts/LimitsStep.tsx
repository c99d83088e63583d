import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { api, read } from '@/api/client'
import { currentUser, keys } from '@/api/queries'
import { accountIdentifier, useMethodNames } from '@/components/methodNames'
import { useCoins } from '@/components/useCoins'
import { useMoney } from '@/components/useMoney'
import { useLanguageStore } from '@/i18n/catalogs'
import { shorten } from '@/lib/text'
import { AppLink } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { AmountField } from '@/ui/AmountField'
import { Button, buttonClass } from '@/ui/Button'
import { Card, CardTitle, Line } from '@/ui/Card'
import { TextArea } from '@/ui/Field'
import { Problem } from '@/ui/Problem'
import { Skeleton } from '@/ui/Skeleton'
import { buyersPay, editDraft, maxPerOrder } from './draft'
import type { StepProps } from './PriceStep'
import { TakerFields } from './TakerFields'
import { useFaultLabels } from './useFaultLabels'
import { WindowChoice } from './WindowChoice'

export function LimitsStep({ draft, pair, wrong, refusal }: StepProps) {
  const { t } = useLingui()
  const money = useMoney()
  const say = useFaultLabels()
  const coins = useCoins()
  const scale = coins.scale(draft.quote)
  const most = maxPerOrder(draft, pair, scale)
  const { remarkMax } = coins
  return (
    <>
      {pair.album !== null ? null : (
        <Card className="flex flex-col gap-3">
          <AmountField
            label={t`Minimum per order`}
            unit={draft.quote}
            value={draft.orderMin}
            onChange={(orderMin) => editDraft({ orderMin })}
            decimals={scale}
            integerDigits={12}
            hint={t`At least ${money(pair.orderMin, draft.quote)} ${draft.quote}`}
            error={say(wrong.orderMin, draft.quote) || refusal.orderMin}
          />
          <AmountField
            label={t`Maximum per order`}
            unit={draft.quote}
            value={draft.orderMax}
            onChange={(orderMax) => editDraft({ orderMax })}
            decimals={scale}
            integerDigits={12}
            hint={t`At most ${money(pair.orderMax, draft.quote)} ${draft.quote}`}
            error={say(wrong.orderMax, draft.quote) || refusal.orderMax}
            action={
              most === null ? null : (
                <Button tone="quiet" size="small" onClick={() => editDraft({ orderMax: most })}>
                  <Trans>Max</Trans>
                </Button>
              )
            }
          />
        </Card>
      )}
      {buyersPay(draft) ? <WindowChoice draft={draft} pair={pair} refusal={refusal.windowMinutes} /> : null}
      {pair.methodTypes.length > 0 ? (
        <Methods
          paying={draft.side === 'BUY'}
          types={pair.methodTypes}
          currency={draft.quote}
          chosen={draft.methodIds}
          missing={wrong.methods !== undefined}
          refusal={refusal.methods}
        />
      ) : draft.side === 'SELL' ? (
        <Receiving />
      ) : (
        <Paying draft={draft} pair={pair} />
      )}
      <Card>
        <TextArea
          label={t`Remark (optional)`}
          value={draft.remark}
          maxLength={remarkMax}
          onChange={(remark) => editDraft({ remark })}
          error={say(wrong.remark, '') || refusal.remark}
          hint={t`${draft.remark.length} of ${remarkMax}. No contact details or links.`}
        />
      </Card>
      <TakerFields required={draft.takerRequirements} refusal={refusal} />
    </>
  )
}

function Methods({
  paying,
  types,
  currency,
  chosen,
  missing,
  refusal,
}: {
  /** Whether the user pays with these methods. Otherwise, the user is paid with them. */
  paying: boolean
  types: readonly string[]
  currency: string
  chosen: readonly string[]
  missing: boolean
  refusal: string | undefined
}) {
  const { method } = useMethodNames()
  const list = useQuery({ queryKey: keys.methods, queryFn: () => read(api.GET('/payment/method/list')) })
  const usable = list.data?.filter((one) => one.currency === currency && types.includes(one.type))
  return (
    <Card>
      <CardTitle>{paying ? <Trans>How you pay</Trans> : <Trans>How you get paid</Trans>}</CardTitle>
      {paying ? (
        <p className="mb-3 text-muted text-sm leading-relaxed">
          <Trans>
            Sellers see the type of each method. Once they order, they see the account holder, from whose
            account you must pay.
          </Trans>
        </p>
      ) : null}
      {usable === undefined ? (
        <Skeleton className="h-14 w-full rounded-2xl" />
      ) : (
        <div className="flex flex-col gap-2">
          {usable.length === 0 ? (
            <p className="text-muted text-sm">
              <Trans>You don’t have a {currency} payment method yet.</Trans>
            </p>
          ) : null}
          {usable.map((one) => (
            <label
              key={one.id}
              className="flex min-h-13 items-center gap-3 rounded-2xl border border-line px-4 py-2.5 has-checked:border-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
            >
              <input
                type="checkbox"
                checked={chosen.includes(one.id)}
                onChange={(event) =>
                  editDraft({
                    methodIds: event.target.checked
                      ? [...chosen, one.id]
                      : chosen.filter((id) => id !== one.id),
                  })
                }
                className="size-5 shrink-0 accent-brand-fill"
              />
              <span className="min-w-0">
                <span className="block font-medium">{method(one.type)}</span>
                <span className="block text-muted text-sm [overflow-wrap:anywhere]">
                  {accountIdentifier(one.fields)}
                </span>
              </span>
            </label>
          ))}
          {missing ? (
            <Problem>
              <Trans>Choose at least one payment method.</Trans>
            </Problem>
          ) : refusal === undefined ? null : (
            <Problem>{refusal}</Problem>
          )}
          <AppLink
            to="/creatingPayment"
            query={{ currency, back: 'publish' }}
            className={buttonClass('plain', 'small', false)}
          >
            <Plus size={18} aria-hidden="true" />
            <Trans>Add a payment method</Trans>
          </AppLink>
        </div>
      )}
    </Card>
  )
}

/** How a buyer pays in coins: from the ad's escrow, or from the own wallet. */
function Paying({ draft, pair }: Pick<StepProps, 'draft' | 'pair'>) {
  const { quote } = draft
  const chains = new Intl.ListFormat(
    useLanguageStore((state) => state.language.tag),
    { type: 'disjunction' },
  )
  return (
    <Card>
      <CardTitle>
        <Trans>How you pay</Trans>
      </CardTitle>
      <p className="text-muted text-sm leading-relaxed">
        {draft.kind === 'AUTOMATIC' ? (
          <Trans>
            Every order is paid from the {quote} in this ad’s escrow, as soon as the seller’s coins have
            arrived.
          </Trans>
        ) : (
          <Trans>
            For each order, you send {quote} from your own wallet straight to the seller’s address, on{' '}
            {chains.format(pair.chainTypes)}.
          </Trans>
        )}
      </p>
    </Card>
  )
}

function Receiving() {
  const { t } = useLingui()
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false }).data
  return (
    <Card>
      <CardTitle>
        <Trans>Receiving address</Trans>
      </CardTitle>
      <dl>
        <Line label={t`Your USDT address`}>
          {user?.receivingAddress == null ? '–' : shorten(user.receivingAddress)}
        </Line>
        <Line label={t`Chain`}>{user?.chainType ?? '–'}</Line>
      </dl>
      <AppLink to="/updateReceivingAddress" className={`${buttonClass('plain', 'small', true)} mt-2`}>
        <Trans>Change</Trans>
      </AppLink>
    </Card>
  )
}
