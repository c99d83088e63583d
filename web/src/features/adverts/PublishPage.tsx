import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, completed, read } from '@/api/client'
import { isApiError, refusedFact } from '@/api/envelope'
import { coinConfig, currentUser, keys } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { refusedIn } from '@/command/refusedIn'
import { StaleNotice } from '@/command/StaleNotice'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { creatingPath } from '@/components/advertEscrow'
import { chainTypesOf } from '@/components/trading/chainTypesOf'
import { MissingRequirements } from '@/components/trading/MissingRequirements'
import { useCoins } from '@/components/useCoins'
import { hrefTo, useCurrentHref, useGo, useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { WizardSteps } from '@/ui/Steps'
import {
  chooseSide,
  clearDraft,
  createAdvertBody,
  draftFaults,
  type Field,
  priceFault,
  STEP_FIELDS,
  setRefused,
  useDraft,
} from './draft'
import { LimitsStep } from './LimitsStep'
import { NftStep } from './NftStep'
import { PriceStep } from './PriceStep'
import { ReviewStep } from './ReviewStep'
import { TypeStep } from './TypeStep'
import { useOfferedNft } from './useOfferedNft'
import { usePriceCheck } from './usePriceCheck'
import { useRemarkCheck } from './useRemarkCheck'
import { useRequirements } from './useRequirements'

const ONLINE = { params: { query: { online: true } } }

/** The step that creates the ad. */
const LAST = 3

const FIELDS = STEP_FIELDS.flat().filter((field) => field !== 'kind')

/** The fields that refusals concern without naming them. The total of an ad for an NFT is its price. */
const FIELD_OF_CODE: Readonly<Record<string, Field>> = {
  '5009': 'orderMin',
  '5021': 'quantity',
  '5022': 'price',
  '5061': 'price',
  '5025': 'methods',
  '5026': 'methods',
  '5031': 'nftId',
}

/** Returns whether the seller of an NFT was refused for want of what sellers prepay. */
function cannotPrepay(error: unknown): boolean {
  return isApiError(error) && error.code === '5054'
}

/** A wizard that posts an ad. Only its last step creates the ad. */
export default function PublishPage() {
  const config = useQuery(coinConfig)
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false })
  const offered = useOfferedNft()
  // A poll that fails later must not discard input.
  if (config.data === undefined || user.data === undefined || offered.pending || offered.error !== null) {
    if (config.isError || user.isError || offered.error !== null) {
      return (
        <QueryError
          error={config.error ?? user.error ?? offered.error}
          retry={() => {
            void config.refetch()
            void user.refetch()
            offered.refetch()
          }}
        />
      )
    }
    return (
      <div className="flex flex-col gap-4 pt-3">
        <Skeleton className="h-6 w-full" />
        <Skeleton className="h-64 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <>
      <StaleNotice query={user} />
      <Wizard user={user.data} />
    </>
  )
}

function Wizard({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const go = useGo()
  const client = useQueryClient()
  const coins = useCoins()
  const { draft, refused } = useDraft()
  const asked = Number(useQueryParam('step'))
  const wish = useQueryParam('side')
  const here = useCurrentHref()
  const [tried, setTried] = useState(false)
  const [goOnline, setGoOnline] = useState(true)
  // The side and price that the user has confirmed although the price is far from the market.
  const [confirmed, setConfirmed] = useState('')
  const offer = `${draft.side} ${draft.price}`
  const checked = usePriceCheck(draft)
  const remark = useRemarkCheck(draft.remark)
  const pair = coins.pair(draft.base, draft.quote)
  const nft = pair !== undefined && pair.album !== null
  const priceWrong = priceFault(checked.check)
  // Each step is an entry of the browser's history. A reload discards the draft, and so starts again.
  const step = pair !== undefined && [1, 2, 3].includes(asked) ? asked : 0
  const wrong =
    pair === undefined
      ? {}
      : {
          ...(priceWrong && { price: priceWrong }),
          ...draftFaults(draft, pair),
          ...(remark && { remark }),
        }
  const { missing, asking } = useRequirements(draft)
  const stuck = (STEP_FIELDS[step] ?? []).some((field) => wrong[field] !== undefined)
  const unconfirmed = step === LAST && checked.check?.far === true && confirmed !== offer
  const create = useCommand({
    run: async (input: { body: ReturnType<typeof createAdvertBody>; goOnline: boolean }, headers) => {
      const advert = await read(api.POST('/c2c/advert/create', { body: input.body, headers }))
      // If going online fails, the ad exists, and the next screen offers to turn orders on.
      if (input.goOnline) await completed(api.POST('/c2c/advert/online', ONLINE)).catch(() => null)
      return advert
    },
    touches: [keys.adverts, keys.balance, keys.me],
    done: (advert) => {
      clearDraft()
      go.replace(creatingPath(advert), { id: advert.id })
    },
    refused: (error) => {
      if (cannotPrepay(error)) {
        // The screen shows a balance that is out of date, or the user has seen that it is too small.
        void client.invalidateQueries({ queryKey: keys.balance })
        return true
      }
      const field = refusedIn(error, FIELDS, nft ? { ...FIELD_OF_CODE, '5009': 'price' } : FIELD_OF_CODE)
      if (field === null) return false
      // What the screen shows of the market is out of date.
      if (field === 'price') void client.invalidateQueries({ queryKey: keys.market })
      setRefused({ field, error, draft })
      go.to('/publish', { step: `${STEP_FIELDS.findIndex((fields) => fields.includes(field))}` })
      return true
    },
  })
  const said = useErrorText(refused?.error, 'command')
  const crossed = refusedFact(refused?.error, 'reason') === 'above orderMax'
  const why = crossed ? t`The minimum can’t be higher than the maximum.` : said
  useEffect(() => {
    if (step >= 0) scrollTo({ top: 0 })
  }, [step])
  useEffect(() => {
    // A draft that was begun keeps its side.
    if ((wish === 'BUY' || wish === 'SELL') && useDraft.getState().draft.base === '') chooseSide(wish)
  }, [wish])
  const names = [t`Type`, nft ? t`NFT and price` : t`Price`, nft ? t`Payment` : t`Limits`, t`Review`]
  const Price = nft ? NftStep : PriceStep
  const last = step === LAST
  const next = () => {
    if (pair === undefined || stuck || unconfirmed || missing.length > 0) {
      setTried(true)
      // The top of the page lists the requirements, and choosing a pair may add some.
      if (missing.length > 0) scrollTo({ top: 0 })
      return
    }
    setTried(false)
    if (last) {
      create.send({
        body: createAdvertBody(draft, pair, confirmed === offer),
        goOnline: goOnline && !user.online,
      })
    } else go.to('/publish', { step: `${step + 1}` })
  }
  // A remark is wrong as soon as the server says so, and not only when the user goes on.
  const shown = tried ? wrong : { ...(remark && { remark }) }
  const refusal = refused?.draft === draft ? { [refused.field]: why } : {}
  return (
    <div className="flex flex-col gap-5 pt-2">
      <WizardSteps at={step} names={names} label={t`Steps`} />
      <MissingRequirements
        missing={missing}
        user={user}
        act="post"
        chainTypes={chainTypesOf(pair, draft.kind === 'AUTOMATIC')}
        tried={tried}
        next={here}
      />
      {step === 0 ? <TypeStep pairs={coins.pairs} draft={draft} tried={tried} /> : null}
      {step === 1 && pair !== undefined ? (
        <Price draft={draft} pair={pair} wrong={shown} refusal={refusal} checked={checked} />
      ) : null}
      {step === 2 && pair !== undefined ? (
        <LimitsStep draft={draft} pair={pair} wrong={shown} refusal={refusal} />
      ) : null}
      {last && pair !== undefined ? (
        <ReviewStep
          draft={draft}
          pair={pair}
          online={user.online}
          goOnline={goOnline}
          onGoOnline={setGoOnline}
          check={checked.check}
          confirmed={confirmed === offer}
          onConfirmed={(yes) => setConfirmed(yes ? offer : '')}
          unconfirmed={tried && unconfirmed}
          prepaymentRefused={cannotPrepay(create.error)}
        />
      ) : null}
      <ActionBar nav>
        {step === 0 ? null : (
          <Button
            tone="plain"
            size="large"
            onClick={() => go.follow(hrefTo('/publish', step === 1 ? {} : { step: `${step - 1}` }))}
          >
            <Trans>Back</Trans>
          </Button>
        )}
        <Button size="large" wide busy={create.busy || asking} onClick={next}>
          {last ? <Trans>Create ad</Trans> : <Trans>Continue</Trans>}
        </Button>
      </ActionBar>
    </div>
  )
}
