import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { download, save } from '@/api/download'
import { useErrorText } from '@/command/useErrorText'
import { Notice } from '@/ui/Card'
import { Spinner } from '@/ui/Spinner'
import { toast } from '@/ui/toast'
import { filtersOf, type OrderList } from './orderList'

/** Downloads the orders that the filters show, as a table. */
export function ExportButton({ list }: { list: OrderList }) {
  const { t } = useLingui()
  const file = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      const query = new URLSearchParams(Object.entries(filtersOf(list))).toString()
      return download(`/c2c/deal/order/export${query === '' ? '' : `?${query}`}`)
    },
    onSuccess: (downloaded) => {
      save(downloaded)
      toast(t`Downloaded`)
    },
  })
  const error = useErrorText(file.error)
  const more = file.data?.headers.get('x-more-orders') === 'true'
  return (
    <>
      <button
        type="button"
        aria-label={t`Download as a table (CSV)`}
        aria-busy={file.isPending || undefined}
        onClick={() => {
          if (!file.isPending) file.mutate()
        }}
        className="inline-grid size-11 shrink-0 place-items-center rounded-full bg-sunken active:opacity-70"
      >
        {file.isPending ? <Spinner /> : <Download size={18} aria-hidden="true" />}
      </button>
      {error === '' ? null : (
        <p role="alert" className="basis-full text-sell text-sm">
          {error}
        </p>
      )}
      {more ? (
        <div role="status" className="basis-full">
          <Notice tone="warn">{t`The file has no room for all orders: it contains the newest ones. Choose fewer days to download the others.`}</Notice>
        </div>
      ) : null}
    </>
  )
}
