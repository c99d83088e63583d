import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { download, save } from '@/api/download'
import { useErrorText } from '@/command/useErrorText'
import { AppLink } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Gap } from '@/ui/Gap'

/** Downloads the signed record of the order. */
export function RecordDownload({ orderId }: { orderId: string }) {
  const record = useMutation({
    networkMode: 'always',
    mutationFn: () => download(`/c2c/deal/order/record/${encodeURIComponent(orderId)}`),
    onSuccess: save,
  })
  const error = useErrorText(record.error)
  return (
    <div className="mt-2 border-line border-t pt-3">
      <Button
        tone="plain"
        size="small"
        wide
        busy={record.isPending}
        onClick={() => {
          if (!record.isPending) record.mutate()
        }}
      >
        <Download size={17} aria-hidden="true" />
        <Trans>Download the order record</Trans>
      </Button>
      {error === '' ? null : (
        <p role="alert" className="mt-2 text-sell text-sm">
          {error}
        </p>
      )}
      <p className="mt-2 text-muted text-sm leading-relaxed">
        <Trans>
          A signed file with everything that happened in this order and everything that was said. Any later
          change of it can be detected, even a change by us.
        </Trans>
        <Gap />
        <AppLink
          to="/helpDetail"
          query={{ id: 'order-record' }}
          className="inline-block font-semibold text-brand"
        >
          <Trans>How to verify it</Trans>
        </AppLink>
      </p>
    </div>
  )
}
