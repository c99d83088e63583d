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
  const appeals = sections.some((section) => section.path === '/console/appeals')
  const keys: [string, string][] = [
    ['?', t`Show this help`],
    ['/', t`Search`],
    ['j', t`Next row of a table`],
    ['k', t`Previous row of a table`],
    ['Enter', t`Open the row`],
    ['Ctrl+Enter', t`Send a form`],
    ['Esc', t`Close a dialog`],
    ...sections.map((section): [string, string] => [`g ${section.key}`, t(section.title)]),
  ]
  const ofQueue: [string, string][] = [
    ['1 – 4', t`Open, mine, decided, ended`],
    ['s', t`Change the order`],
    ['r', t`Refresh`],
  ]
  const ofCase: [string, string][] = [
    ['i', t`Join the case`],
    ['d', t`Decide, or revoke the verdict`],
    ['w', t`Write an official message`],
    ['t', t`Choose a template for the message`],
    ['e', t`Show pictures and videos`],
    ['← →', t`Previous or next file`],
    ['+ −', t`Zoom`],
    ['n', t`Next case`],
    ['b', t`Back to the appeals`],
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t`Keyboard shortcuts`}>
      <div className={appeals ? 'grid grid-cols-2 gap-x-8' : ''}>
        <div>
          {appeals ? (
            <h3 className="mb-2 font-semibold">
              <Trans>Everywhere</Trans>
            </h3>
          ) : null}
          <Keys keys={keys} />
        </div>
        {appeals ? (
          <div>
            <h3 className="mb-2 font-semibold">
              <Trans>Appeals</Trans>
            </h3>
            <Keys keys={ofQueue} />
            <h3 className="mt-5 mb-2 font-semibold">
              <Trans>A case</Trans>
            </h3>
            <Keys keys={ofCase} />
          </div>
        ) : null}
      </div>
      <p className="mt-4 text-muted text-sm">
        <Trans>Press the keys of a sequence one after another.</Trans>
      </p>
    </Dialog>
  )
}

function Keys({ keys }: { keys: readonly [key: string, does: string][] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-2 text-sm">
      {keys.map(([key, does]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded-lg bg-sunken px-2 py-1 font-sans font-semibold text-sm">{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
