import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Matches as Found, MatchedAdvert } from '@/api/types'
import { AppLink } from '@/navigation/navigation'
import { buttonClass } from '@/ui/Button'
import { EmptyState } from '@/ui/State'
import { type HallFilter, hallAddress } from '../hallState'
import { BestMatch } from './BestMatch'
import { Matched } from './Matched'
import { MatchRow } from './MatchRow'
import type { Trade } from './trade'

/** The best ad for a trade, the other ads that can take it, and why the rest cannot. */
export function Matches({ trade }: { trade: Trade }) {
  return <Matched trade={trade}>{(matches) => <All hall={trade.hall} matches={matches} />}</Matched>
}

function All({ hall, matches: { adverts } }: { hall: HallFilter; matches: Found }) {
  const fitting = adverts.filter((one) => one.misfits.length === 0)
  const others = adverts.filter((one) => one.misfits.length > 0)
  const [best, ...more] = fitting
  return (
    <>
      {best === undefined ? (
        <EmptyState
          title={<Trans>No ad takes all of this</Trans>}
          text={
            others.length === 0 ? (
              <Trans>No one is offering this right now. Post your own ad and let others come to you.</Trans>
            ) : (
              <Trans>Below you see why the ads with the best prices don’t fit.</Trans>
            )
          }
          action={
            <AppLink
              to="/"
              query={hallAddress({ ...hall, amount: '' })}
              className={buttonClass('plain', 'normal', false)}
            >
              <Trans>View all ads</Trans>
            </AppLink>
          }
        />
      ) : (
        <BestMatch match={best} />
      )}
      <Rows title={<Trans>These ads fit too</Trans>} rows={more} />
      <Rows title={<Trans>Why other ads don’t fit</Trans>} rows={others} />
    </>
  )
}

function Rows({ title, rows }: { title: ReactNode; rows: readonly MatchedAdvert[] }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <ul className="divide-y divide-line">
        {rows.map((match) => (
          <MatchRow key={match.advert.id} match={match} />
        ))}
      </ul>
    </section>
  )
}
