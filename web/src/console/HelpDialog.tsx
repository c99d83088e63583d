import { Trans, useLingui } from '@lingui/react/macro'
import { Dialog } from '@/ui/Dialog'
import type { Section } from './sections'

/** Lists the keyboard shortcuts. */
export function HelpDialog({
  sections,
  open,
  onClose,
}: {
  sections: readonly Section[]
  open: boolean
  onClose: () => void
}) {
  const { t } = useLingui()
  const keys: [string, string][] = [
    ['?', t`Show this help`],
    ['/', t`Search, on the page of users`],
    ['j', t`Next row of a table`],
    ['k', t`Previous row of a table`],
    ['Enter', t`Open the row`],
    ['Ctrl+Enter', t`Send a form`],
    ['Esc', t`Close a dialog`],
    ...sections.map((section): [string, string] => [`g ${section.key}`, t(section.title)]),
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t`Keyboard shortcuts`}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-lg bg-sunken px-2 py-1 font-sans font-semibold text-sm">{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted text-sm">
        <Trans>Press the keys of a sequence one after another.</Trans>
      </p>
    </Dialog>
  )
}
