import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, done, read } from '@/api/client'
import { coinConfig, keys, me } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { NotRenewed } from '@/command/NotRenewed'
import { QueryError } from '@/command/QueryError'
import { useCommand } from '@/command/useCommand'
import { Blockers } from '@/components/Blockers'
import { blockersOf, type Wanted } from '@/components/blockersOf'
import { useCoins } from '@/components/coins'
import { useNow } from '@/lib/clock'
import { useGo } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { ActionBar } from '@/ui/ActionBar'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/Skeleton'
import { WizardSteps } from '@/ui/Steps'
import { bodyOf, faults, forgetDraft, STEP_FIELDS, toStep, useDraft } from './draft'
import { LimitsStep } from './LimitsStep'
import { PriceStep } from './PriceStep'
import { ReviewStep } from './ReviewStep'
import { TypeStep } from './TypeStep'

const ONLINE = { params: { query: { online: true } } }

/** Posting a sell ad, a question at a time; nothing is created before the last tap. */
export default function PublishPage() {
  const config = useQuery(coinConfig)
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...me(userId), refetchInterval: false })
  // A poll that fails later takes away nothing that was filled in.
  if (config.data === undefined || user.data === undefined) {
    if (config.isError || user.isError) {
      return (
        <QueryError
          error={config.error ?? user.error}
          retry={() => {
            void config.refetch()
            void user.refetch()
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
      <NotRenewed query={user} />
      <Wizard user={user.data} />
    </>
  )
}

function Wizard({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const go = useGo()
  const coins = useCoins()
  const { draft, step } = useDraft()
  const [tried, setTried] = useState(false)
  const [take, setTake] = useState(true)
  const pair = coins.pair(draft.base, draft.quote)
  const wrong = pair === undefined ? {} : faults(draft, pair, coins.scale(draft.quote))
  const fiat = pair !== undefined && pair.methodTypes.length > 0
  const wanted: Wanted = { act: 'post', paid: true, fiat, chainTypes: pair?.chainTypes ?? [] }
  const blockers = blockersOf(user, wanted, useNow())
  const stuck = (STEP_FIELDS[step] ?? []).some((field) => wrong[field] !== undefined)
  const create = useCommand({
    run: async (input: { body: ReturnType<typeof bodyOf>; take: boolean }, headers) => {
      const advert = await read(api.POST('/c2c/advert/create', { body: input.body, headers }))
      // The ad is made. Should this fail, the next screen says that no orders are taken and offers it again.
      if (input.take) await done(api.POST('/c2c/advert/online', ONLINE)).catch(() => null)
      return advert
    },
    touches: [keys.adverts, keys.balance, keys.me],
    done: (advert) => {
      forgetDraft()
      go.replace('/creating', { id: advert.id })
    },
  })
  useEffect(() => {
    // Each question starts at its top.
    if (step >= 0) scrollTo({ top: 0 })
  }, [step])
  const names = [t`Type`, t`Price`, t`Limits`, t`Review`]
  const last = step === names.length - 1
  const next = () => {
    if (pair === undefined || stuck || blockers.length > 0) {
      setTried(true)
      // What stands in the way is said at the top, and a choice of pair may add to it.
      if (blockers.length > 0) scrollTo({ top: 0 })
      return
    }
    setTried(false)
    if (last) create.send({ body: bodyOf(draft, pair), take: take && !user.online })
    else toStep(step + 1)
  }
  const shown = tried ? wrong : {}
  return (
    <div className="flex flex-col gap-5 pt-2">
      <WizardSteps at={step} names={names} label={t`Steps`} />
      <Blockers blockers={blockers} user={user} wanted={wanted} tried={tried} />
      {step === 0 ? <TypeStep pairs={coins.pairs} draft={draft} tried={tried} /> : null}
      {step === 1 && pair !== undefined ? <PriceStep draft={draft} pair={pair} wrong={shown} /> : null}
      {step === 2 && pair !== undefined ? <LimitsStep draft={draft} pair={pair} wrong={shown} /> : null}
      {last && pair !== undefined ? (
        <ReviewStep draft={draft} pair={pair} online={user.online} take={take} onTake={setTake} />
      ) : null}
      <ActionBar nav>
        {step === 0 ? null : (
          <Button tone="plain" size="large" onClick={() => toStep(step - 1)}>
            <Trans>Back</Trans>
          </Button>
        )}
        <Button size="large" wide busy={create.busy} onClick={next}>
          {last ? <Trans>Create ad</Trans> : <Trans>Continue</Trans>}
        </Button>
      </ActionBar>
    </div>
  )
}
