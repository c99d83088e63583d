import { useLingui } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copy } from '@/lib/clipboard'
import { ExternalLink } from './ExternalLink'
import { toast } from './toast'

/** Copies the complete value, even if it is shown shortened. The icon turns into a check for two seconds. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useLingui()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2000)
    return () => clearTimeout(timer)
  }, [done])
  const press = async () => {
    if (await copy(text)) {
      setDone(true)
      toast(t`Copied`)
    } else {
      toast(t`Couldn’t copy. Select the text and copy it yourself.`, 'error')
    }
  }
  return (
    <button
      type="button"
      onClick={() => void press()}
      aria-label={t`Copy ${what}`}
      className="inline-grid size-11 shrink-0 place-items-center rounded-full text-brand transition-colors hover:bg-sunken active:opacity-70"
    >
      {done ? <Check size={20} strokeWidth={2.5} /> : <Copy size={19} />}
    </button>
  )
}

/** A line of label and value that can be copied. */
export function CopyRow({
  label,
  value,
  shown,
  strong = false,
  link,
}: {
  label: string
  value: string
  shown?: string
  strong?: boolean
  /** Where the value can be looked up: another site, in a new tab. */
  link?: string | undefined
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 py-1">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="ml-auto flex min-w-0 items-center justify-end gap-1">
        <span
          className={`min-w-0 text-right [overflow-wrap:anywhere] ${strong ? 'font-semibold text-lg' : ''}`}
        >
          {link === undefined ? (shown ?? value) : <ExternalLink to={link}>{shown ?? value}</ExternalLink>}
        </span>
        <CopyButton text={value} what={label} />
      </dd>
    </div>
  )
}
