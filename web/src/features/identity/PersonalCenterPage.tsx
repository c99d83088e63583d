import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { currentUser, ownBalance } from '@/api/queries'
import type { UserInfo } from '@/api/types'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { AssetLines } from '@/components/AssetLines'
import { ChainRow } from '@/components/ChainRow'
import { WithdrawCondition } from '@/components/ending/WithdrawCondition'
import { Flag } from '@/components/Flag'
import { useFormats } from '@/i18n/format'
import { useIsAhead } from '@/lib/clock'
import { compare } from '@/lib/money'
import { shorten } from '@/lib/text'
import { AppLink, type AppPath, useGo, useQueryParam } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Card, CardTitle, Line, Notice } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Skeleton } from '@/ui/Skeleton'
import { NicknameSheet } from './NicknameSheet'
import { reputationSetting } from './reputationSetting'

/** The user's profile and coins, and the remaining setup. */
export default function PersonalCenterPage() {
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery(currentUser(userId))
  if (user.data === undefined) {
    return user.isError ? (
      <QueryError error={user.error} retry={() => void user.refetch()} />
    ) : (
      <div className="flex flex-col gap-4 pt-2">
        <Skeleton className="h-28 w-full rounded-3xl" />
        <Skeleton className="h-44 w-full rounded-3xl" />
        <Skeleton className="h-60 w-full rounded-3xl" />
      </div>
    )
  }
  return (
    <>
      <StaleNotice query={user} />
      <Center user={user.data} />
    </>
  )
}

function Center({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const { time } = useFormats()
  const [naming, setNaming] = useState(useQueryParam('set') === 'nickname')
  const next = useQueryParam('next')
  const go = useGo()
  const held = useIsAhead(user.holdUntil)
  return (
    <div className="flex flex-col gap-4 pt-2">
      <Card>
        <div className="flex items-center gap-4">
          <Avatar name={user.nickname ?? user.email} size={56} />
          <div className="min-w-0 flex-1">
            <p className="flex flex-wrap items-center gap-x-1.5 font-semibold text-xl">
              <span className="min-w-0 [overflow-wrap:anywhere]">{user.nickname ?? user.email}</span>
              <TraderBadges certified={user.certified} verified={user.verified} fast={user.fast} />
            </p>
            <p className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
              <span className="min-w-0 [overflow-wrap:anywhere]">{user.email}</span>
              <Flag code={user.countryCode} />
            </p>
          </div>
        </div>
        <Figures user={user} />
      </Card>
      {held ? (
        <Notice tone="warn">
          <Trans>
            Your account is on hold until {time(user.holdUntil ?? '')}, because its details changed recently
            or we’re checking it. Until then, you can’t withdraw, publish ads, go online, or place or accept
            orders. To release coins, you also need your pass. If you didn’t make the change, contact us now.
          </Trans>
        </Notice>
      ) : null}
      {user.nicknameRefusal === null ? null : (
        <Notice tone="warn">
          <Trans>
            Your nickname was rejected: {user.nicknameRefusal}. Others see {user.publicNickname} until another
            nickname of yours is approved.
          </Trans>
        </Notice>
      )}
      {user.nicknameUnderReview && user.publicNickname !== user.nickname ? (
        <Notice tone="info">
          <Trans>
            Others see {user.publicNickname} until your nickname is approved. You can trade meanwhile.
          </Trans>
        </Notice>
      ) : null}
      <Money />
      <Group title={t`Trading`}>
        <Setting to="/paymentMethod" label={t`Payment methods`} value="" />
        <Setting
          to="/updateReceivingAddress"
          label={t`USDT receiving address`}
          value={
            user.receivingAddress === null
              ? null
              : `${shorten(user.receivingAddress)} · ${user.chainType ?? ''}`
          }
        />
        <Setting
          to="/boundAddress"
          label={t`Bound address`}
          value={user.boundAddress === null ? null : shorten(user.boundAddress)}
        />
        <Setting to="/reputationScore" label={t`Credit score and its history`} value="" />
        <Setting
          to="/certification"
          label={t`Certification`}
          value={user.certified ? t`Certified trader` : ''}
        />
        <Setting to="/appeals" label={t`Appeals`} value="" />
        <Setting to="/traders" label={t`Favorite and blocked traders`} value="" />
        <Setting to="/automaticReply" label={t`Automatic reply`} value={user.automaticReply ?? ''} />
        <Setting to="/notifications" label={t`Notifications`} value="" />
        <Setting to="/notificationSettings" label={t`Notification settings`} value="" />
      </Group>
      <Group title={t`Account and security`}>
        <SettingButton
          label={t`Nickname`}
          value={
            user.nicknameUnderReview && user.nickname !== null
              ? t`${user.nickname}, under review`
              : user.nickname
          }
          onClick={() => setNaming(true)}
        />
        <Setting to="/updateRemark" label={t`About you`} value={user.remark ?? ''} />
        <Setting to="/updateEmail" label={t`Email`} value={user.email} />
        <Setting to="/updatePassword" label={t`Login password`} value={t`Set`} />
        <Setting
          to="/updateSecurityPassword"
          label={t`Security password`}
          value={user.hasSecurityPassword ? t`Set` : null}
        />
        <Setting to="/sessions" label={t`Logged-in devices`} value="" />
      </Group>
      <Card>
        <CardTitle>
          <Trans>Your addresses on the MEC chain</Trans>
        </CardTitle>
        <dl>
          {user.boundAddress === null ? null : (
            <ChainRow
              label={t`Bound address (you receive coins here)`}
              kind="address"
              value={user.boundAddress}
            />
          )}
          <ChainRow label={t`Escrow address (you deposit here)`} kind="address" value={user.custodyAddress} />
          <CopyRow label={t`User ID`} value={user.id} shown={shorten(user.id)} />
        </dl>
      </Card>
      <NicknameSheet
        user={user}
        open={naming}
        onClose={() => setNaming(false)}
        onSaved={() => {
          setNaming(false)
          // Return to the screen that required a nickname.
          if (next !== '') go.follow(next)
        }}
      />
    </div>
  )
}

/** What others see of the user, and what the user has and has traded. */
function Figures({ user }: { user: UserInfo }) {
  const { t } = useLingui()
  const { amount, count, percent } = useFormats()
  const verification = { none: t`Not verified`, basic: t`Basic`, advanced: t`Advanced` }
  const neededToPost = useQuery(reputationSetting).data?.[0]?.neededToPost ?? 0
  const shown = (amounts: UserInfo['volume30d']) => {
    const some = amounts.filter((one) => compare(one.amount, '0') === 1)
    return some.length === 0 ? '–' : some.map((one) => `${amount(one.amount)} ${one.asset}`).join(' · ')
  }
  return (
    <>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(max(4.75rem,30%),1fr))] gap-3 text-center">
        <Figure label={t`Credit score`}>
          <span className={user.reputation < neededToPost ? 'text-sell' : 'text-brand'}>
            {user.reputation}
          </span>
        </Figure>
        <Figure label={t`Verification`}>{verification[user.kycLevel]}</Figure>
        <Figure label={t`Your ads`}>{user.online ? t`Online` : t`Offline`}</Figure>
        <Figure label={t`Orders (30 days)`}>{count(user.stats.orders30d)}</Figure>
        <Figure label={t`Completion rate`}>
          {user.stats.completionRate === null ? '–' : percent(user.stats.completionRate)}
        </Figure>
        <Figure label={t`Avg. confirmation`}>
          {user.stats.averageConfirmSeconds === null
            ? '–'
            : t`${count(Math.ceil(user.stats.averageConfirmSeconds / 60))} min`}
        </Figure>
        <Figure label={t`Orders accepted`}>
          {user.stats.acceptanceRate === null ? '–' : percent(user.stats.acceptanceRate)}
        </Figure>
        <Figure label={t`Confirmed late`}>
          {user.stats.confirmations === 0
            ? '–'
            : t`${count(user.stats.lateConfirmations)} out of ${count(user.stats.confirmations)}`}
        </Figure>
      </dl>
      <dl className="mt-4 border-line border-t pt-2">
        <Line label={t`Traded (30 days)`}>{shown(user.volume30d)}</Line>
        <Line label={t`Temporary balance`}>{shown(user.temporaryBalance)}</Line>
      </dl>
    </>
  )
}

/** Settings about one subject. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardTitle>{title}</CardTitle>
      <ul>{children}</ul>
    </Card>
  )
}

function Money() {
  const { t } = useLingui()
  const balance = useQuery(ownBalance)
  return (
    <Card>
      <CardTitle>
        <Trans>Your balances</Trans>
      </CardTitle>
      {balance.data === undefined ? (
        balance.isError ? (
          <QueryError error={balance.error} retry={() => void balance.refetch()} />
        ) : (
          <Skeleton className="h-16 w-full" />
        )
      ) : (
        <>
          <StaleNotice query={balance} />
          <AssetLines lines={balance.data.lines} />
          {balance.data.lines.some((line) => compare(line.temporary, '0') === 1) ? (
            <p className="mt-1 mb-3 text-muted text-sm">
              <WithdrawCondition />
            </p>
          ) : null}
        </>
      )}
      <ul className="border-line border-t">
        <Setting to="/recharge" label={t`Deposit coins`} value="" />
        <Setting to="/fundRecord" label={t`Records and withdrawals`} value="" />
        <Setting to="/nft/list" label={t`My NFTs`} value="" />
      </ul>
    </Card>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dd className="font-semibold">{children}</dd>
      <dt className="text-muted text-xs">{label}</dt>
    </div>
  )
}

/** Long values wrap, right aligned, and are never cut: an address is useless without its chain. */
const ROW = 'flex min-h-14 w-full flex-wrap items-center justify-between gap-x-3 gap-y-0.5 py-2 text-left'

/** `null` if not set. */
function Value({ value }: { value: string | null }) {
  return (
    <span className="ml-auto flex min-w-0 items-center gap-2 text-right text-muted text-sm">
      {value === null ? (
        <span className="flex items-center gap-1.5 font-medium text-warn">
          <CircleAlert size={16} aria-hidden="true" />
          <Trans>not set</Trans>
        </span>
      ) : value === '' ? null : (
        <span className="flex min-w-0 items-center gap-1.5">
          <CircleCheck size={16} className="shrink-0 text-brand" aria-hidden="true" />
          <span className="[overflow-wrap:anywhere]">{value}</span>
        </span>
      )}
      <ChevronRight size={18} className="shrink-0" aria-hidden="true" />
    </span>
  )
}

function Setting({ to, label, value }: { to: AppPath; label: string; value: string | null }) {
  return (
    <li className="border-line border-b last:border-0">
      <AppLink to={to} className={ROW}>
        <span className="min-w-0">{label}</span>
        <Value value={value} />
      </AppLink>
    </li>
  )
}

function SettingButton({
  label,
  value,
  onClick,
}: {
  label: string
  value: string | null
  onClick: () => void
}) {
  return (
    <li className="border-line border-b last:border-0">
      <button type="button" onClick={onClick} className={ROW}>
        <span className="min-w-0">{label}</span>
        <Value value={value} />
      </button>
    </li>
  )
}
