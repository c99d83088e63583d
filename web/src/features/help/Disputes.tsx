import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { QueryError } from '@/command/QueryError'
import { duration } from '@/i18n/duration'
import { useFormats } from '@/i18n/format'
import { Card, CardTitle, Line } from '@/ui/Card'
import { Skeleton } from '@/ui/Skeleton'

/** What an appeal does, and how quickly appeals are decided. */
export function Disputes() {
  return (
    <>
      <Card>
        <ol className="flex list-decimal flex-col gap-3 pl-5 leading-relaxed marker:font-semibold marker:text-brand">
          <li>
            <Trans>
              If the other party is late, or a payment is disputed, file an appeal on the order’s page. The
              order is locked, its timer stops, and the coins stay in escrow.
            </Trans>
          </li>
          <li>
            <Trans>
              Both parties add pictures and videos as evidence. The officer also reads the chat of the order,
              which can’t be changed afterwards.
            </Trans>
          </li>
          <li>
            <Trans>
              An officer decides for the buyer or the seller, or rejects the appeal. Large orders need two
              officers who decide the same.
            </Trans>
          </li>
          <li>
            <Trans>
              Both parties see the verdict and its reasons. After a delay, the coins go to the winner’s own
              address, or back to the seller.
            </Trans>
          </li>
          <li>
            <Trans>Losing an appeal costs credit. A malicious appeal costs all your credit.</Trans>
          </li>
        </ol>
      </Card>
      <Figures />
    </>
  )
}

function Figures() {
  const { i18n, t } = useLingui()
  const { count, percent } = useFormats()
  const query = useQuery({
    queryKey: ['appeal-figures'],
    queryFn: () => read(api.GET('/common/appeal-figures')),
    staleTime: 900_000,
  })
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-72 w-full rounded-3xl" />
    )
  }
  const { days, least, figures } = query.data
  return (
    <Card>
      <CardTitle>
        <Trans>Appeals of the last {days} days</Trans>
      </CardTitle>
      {figures === null ? (
        <p className="text-muted leading-relaxed">
          <Trans>
            Fewer than {least} appeals were decided in this time. We publish figures only about more, so that
            they say nothing about single orders.
          </Trans>
        </p>
      ) : (
        <>
          <dl>
            <Line label={t`Appeals filed`} strong>
              {count(figures.filed)}
            </Line>
            <Line label={t`Decided within 24 hours`} strong>
              {percent(`${figures.withinDayPercent / 100}`)}
            </Line>
            <Line label={t`Half decided within`}>{duration(i18n.locale, figures.medianSeconds)}</Line>
            <Line label={t`95% decided within`}>
              {duration(i18n.locale, figures.ninetyFivePercentSeconds)}
            </Line>
            <Line label={t`Decided for the buyer`}>{count(figures.buyer)}</Line>
            <Line label={t`Decided for the seller`}>{count(figures.seller)}</Line>
            <Line label={t({ message: 'Rejected', context: 'number of appeals' })}>
              {count(figures.rejected)}
            </Line>
            <Line label={t`Withdrawn`}>{count(figures.withdrawn)}</Line>
          </dl>
          <p className="mt-3 text-muted text-sm leading-relaxed">
            <Trans>
              Appeals that have waited for more than 24 hours count as late, with the time that they have
              waited so far.
            </Trans>
          </p>
        </>
      )}
    </Card>
  )
}
