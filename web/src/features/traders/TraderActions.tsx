import { Trans, useLingui } from '@lingui/react/macro'
import { Ban, Star } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { keys } from '@/api/queries'
import type { TraderPage } from '@/api/types'
import { useCommand } from '@/command/useCommand'
import { Button } from '@/ui/Button'
import { ConfirmationSheet } from '@/ui/ConfirmationSheet'
import { toast } from '@/ui/toast'

/** Adds a trader to the favorites, or blocks them. */
export function TraderActions({
  trader,
}: {
  trader: Pick<TraderPage, 'id' | 'nickname' | 'favorite' | 'blocked'>
}) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const path = { id: trader.id }
  const touches = [keys.traders, keys.hall]
  const favor = useCommand({
    run: (favorite: boolean, headers) =>
      read(api.POST('/user/trader/{id}/favorite', { params: { path }, body: { favorite }, headers })),
    touches,
    done: ({ favorite }) => toast(favorite ? t`Added to your favorites` : t`Removed from your favorites`),
  })
  const block = useCommand({
    run: (blocked: boolean, headers) =>
      read(api.POST('/user/trader/{id}/block', { params: { path }, body: { blocked }, headers })),
    touches,
    done: ({ blocked }) => {
      setAsking(false)
      toast(blocked ? t`Trader blocked` : t`Trader unblocked`)
    },
  })
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      {trader.blocked ? null : (
        <Button
          tone="plain"
          size="small"
          aria-pressed={trader.favorite}
          busy={favor.busy}
          onClick={() => favor.send(!trader.favorite)}
        >
          <Star size={16} aria-hidden="true" className={trader.favorite ? 'fill-current text-warn' : ''} />
          {trader.favorite ? <Trans>Favorite</Trans> : <Trans>Add to favorites</Trans>}
        </Button>
      )}
      {trader.blocked ? (
        <Button tone="plain" size="small" busy={block.busy} onClick={() => block.send(false)}>
          <Trans>Unblock</Trans>
        </Button>
      ) : (
        <Button tone="quiet" size="small" onClick={() => setAsking(true)}>
          <Ban size={16} aria-hidden="true" />
          <Trans>Block</Trans>
        </Button>
      )}
      <ConfirmationSheet
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Block ${trader.nickname}?`}
        keep={<Trans>Don’t block</Trans>}
        confirm={<Trans>Block</Trans>}
        busy={block.busy}
        onConfirm={() => block.send(true)}
      >
        <p>
          <Trans>
            You won’t see each other’s ads or be able to order from each other. Open orders go on. You can
            unblock them at any time.
          </Trans>
        </p>
      </ConfirmationSheet>
    </div>
  )
}
