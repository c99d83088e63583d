import { Trans, useLingui } from '@lingui/react/macro'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { copy } from '@/lib/clipboard'
import { hrefTo } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { QrCode } from '@/ui/QrCode'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'

/** What is shared, and whether the device has a dialog for it. */
interface Shared {
  link: string
  withApps: boolean
}

/** A button that opens a sheet with the link to the order form of an ad. */
export function ShareAdvert({ id }: { id: string }) {
  const [open, setOpen] = useState(false)
  const [shared, setShared] = useState<Shared | null>(null)
  const show = () => {
    setShared({
      link: new URL(hrefTo('/buySell', { id }), location.origin).href,
      withApps: typeof navigator.share === 'function',
    })
    setOpen(true)
  }
  return (
    <>
      <Button tone="quiet" size="small" className="-mr-4" onClick={show}>
        <Share2 size={16} aria-hidden="true" />
        <Trans>Share</Trans>
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={<Trans>Share this ad</Trans>}>
        {shared === null ? null : <SharedLink {...shared} />}
      </Sheet>
    </>
  )
}

function SharedLink({ link, withApps }: Shared) {
  const { t } = useLingui()
  const copyLink = async () => {
    if (await copy(link)) toast(t`Copied`)
    else toast(t`Couldn’t copy. Select the text and copy it yourself.`, 'error')
  }
  const share = async () => {
    try {
      await navigator.share({ url: link })
    } catch (error) {
      // The user has closed the dialog of the device.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toast(t`Couldn’t share the link. Copy it instead.`, 'error')
    }
  }
  return (
    <div className="flex flex-col items-center gap-4 pb-2">
      <QrCode text={link} label={t`QR code of the link to this ad`} />
      <p className="w-full select-all rounded-2xl bg-sunken px-4 py-3 text-center text-sm [overflow-wrap:anywhere]">
        {link}
      </p>
      <p className="text-center text-muted text-sm">
        <Trans>Whoever opens the link sees this ad after logging in.</Trans>
      </p>
      <div className="flex w-full flex-col gap-2">
        <Button wide onClick={() => void copyLink()}>
          <Trans>Copy link</Trans>
        </Button>
        {withApps ? (
          <Button wide tone="plain" onClick={() => void share()}>
            <Trans>Share with an app</Trans>
          </Button>
        ) : null}
      </div>
    </div>
  )
}
