import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '@/api/client'
import { QueryError } from '@/command/QueryError'
import { shorten } from '@/lib/text'
import { Card, CardTitle } from '@/ui/Card'
import { CopyRow } from '@/ui/CopyButton'
import { Skeleton } from '@/ui/Skeleton'

/** What the record of an order proves, and how to verify it. */
export function OrderRecords() {
  const { t } = useLingui()
  const query = useQuery({
    queryKey: ['log-keys'],
    queryFn: () => read(api.GET('/common/log-keys')),
    staleTime: 3_600_000,
  })
  const current = query.data?.find((one) => one.current)
  const command = `mec2c verify-log FILE --key ${current?.key ?? 'KEY'}`
  return (
    <>
      <Card>
        <p className="leading-relaxed">
          <Trans>
            Both parties of an order can download its record at the bottom of the order’s page. It contains
            the terms, every step, every message, the hashes of all files, and the transactions. Each entry is
            bound to the entries before it, and we sign the whole record. So you can show the record to
            others, and they can check that nothing was changed, removed or added.
          </Trans>
        </p>
      </Card>
      <Card>
        <CardTitle>
          <Trans>Verify a record</Trans>
        </CardTitle>
        <ol className="flex list-decimal flex-col gap-3 pl-5 leading-relaxed marker:font-semibold marker:text-brand">
          <li>
            <Trans>Download the record and leave the file as it is.</Trans>
          </li>
          <li>
            <Trans>Run this command on any computer. It needs no connection and no account.</Trans>
            <code className="mt-2 block rounded-2xl bg-sunken px-4 py-3 text-sm [overflow-wrap:anywhere]">
              {command}
            </code>
          </li>
          <li>
            <Trans>
              The command prints a summary, or names the first entry that is wrong. To check a picture or a
              video, compare its SHA-256 hash with the hash in the record.
            </Trans>
          </li>
        </ol>
      </Card>
      <Card>
        <CardTitle>
          <Trans>Our public keys</Trans>
        </CardTitle>
        {query.data === undefined ? (
          query.isError ? (
            <QueryError error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Skeleton className="h-24 w-full rounded-2xl" />
          )
        ) : query.data.length === 0 ? (
          <p className="text-muted">
            <Trans>Order records can’t be downloaded at the moment.</Trans>
          </p>
        ) : (
          <dl>
            {query.data.map((one) => (
              <CopyRow
                key={one.key}
                label={one.current ? t`Current key` : t`Former key`}
                value={one.key}
                shown={shorten(one.key)}
              />
            ))}
          </dl>
        )}
        <p className="mt-2 text-muted text-sm leading-relaxed">
          <Trans>
            Keep a copy of the current key. A record that names another key was not signed by us, unless the
            key is listed here.
          </Trans>
        </p>
      </Card>
    </>
  )
}
