import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, Globe, Headset, Menu as MenuIcon } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useLanguageStore } from '@/i18n/catalogs'
import { useGo } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { IconButton } from '@/ui/Button'
import { loadable } from '@/ui/loadable'
import { PanelFailed } from '@/ui/PanelFailed'
import type LanguagePanel from './LanguageSheet'
import { Logo } from './Logo'
import { useCreditChanged } from './live'
import type MenuPanel from './Menu'
import type { AppRoute } from './routes'
import { supportAddress } from './support'
import { UnreadDot } from './UnreadDot'
import { useUnreadMessages } from './useUnreadMessages'

const Menu = loadable<ComponentProps<typeof MenuPanel>>(
  () => import('./Menu'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)
const LanguageSheet = loadable<ComponentProps<typeof LanguagePanel>>(
  () => import('./LanguageSheet'),
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)

/** Keeps the place of the link free, so that nothing moves when it appears. */
const SPACE = <span className="size-11 shrink-0 max-2xs:hidden" />
/** Visitors have no notifications, so their first load goes without the link. */
const NotificationsLink = loadable<object>(
  () => import('./NotificationsLink'),
  () => SPACE,
  SPACE,
)

/** The header: back button, title, and actions that are always available (language, support, menu). */
export function Header({ row, title }: { row: AppRoute | null; title: string }) {
  const { t } = useLingui()
  const go = useGo()
  const [panel, setPanel] = useState<'menu' | 'language' | null>(null)
  const [used, setUsed] = useState({ menu: false, language: false })
  const language = useLanguageStore((state) => state.language)
  const userId = useSession((state) => state.userId)
  const changed = useCreditChanged()
  const unread = useUnreadMessages()
  const back = row?.back ?? 'step'
  const show = (which: 'menu' | 'language') => {
    setUsed({ ...used, [which]: true })
    setPanel(which)
  }
  const goBack = () => {
    if (back === 'step' || back === 'hidden') go.back()
    else go.to(back)
  }
  const support = supportAddress(language.code, userId)
  const menu = row?.noMenu !== true && userId !== null
  return (
    <header className="short:static sticky top-0 z-30 bg-canvas/85 backdrop-blur-xl">
      <div
        // On a desktop, the header is as wide as the widest screen, so that nothing in it moves between screens.
        className="column flex min-h-14 items-center gap-1 px-2 max-2xs:flex-wrap lg:max-w-[80rem] xs:px-3"
      >
        {back === 'hidden' ? (
          <span className="ml-2 grid place-items-center">
            <Logo />
          </span>
        ) : (
          <IconButton label={t`Back`} onClick={goBack}>
            <ChevronLeft size={26} />
          </IconButton>
        )}
        <h1
          // Beside the buttons, a zoomed phone has no room for a word.
          className={`min-w-0 flex-1 px-1.5 py-1 font-semibold text-lg leading-tight [overflow-wrap:anywhere] lg:mr-auto lg:max-w-60 ${row?.fill === true ? 'max-2xs:sr-only' : 'max-2xs:order-last max-2xs:basis-full'}`}
        >
          {title}
        </h1>
        <IconButton
          label={t`Language: ${language.name}`}
          onClick={() => show('language')}
          className={menu ? 'max-2xs:hidden' : 'max-2xs:ml-auto'}
        >
          <Globe size={21} strokeWidth={1.8} />
        </IconButton>
        {support === null ? null : (
          <a
            href={support}
            target="_blank"
            rel="noreferrer"
            aria-label={t`Customer service`}
            className="inline-grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken"
          >
            <Headset size={21} strokeWidth={1.8} />
          </a>
        )}
        {menu ? <NotificationsLink /> : null}
        {menu ? (
          <span className="relative max-2xs:ml-auto">
            <IconButton
              label={
                changed
                  ? t`Menu, your credit score changed`
                  : unread > 0
                    ? t`Menu, unread messages: ${unread}`
                    : t`Menu`
              }
              onClick={() => show('menu')}
            >
              <MenuIcon size={23} strokeWidth={1.9} />
            </IconButton>
            {changed || unread > 0 ? <UnreadDot /> : null}
          </span>
        ) : null}
      </div>
      {used.menu ? (
        <Menu open={panel === 'menu'} onClose={() => setPanel(null)} onLanguage={() => show('language')} />
      ) : null}
      {used.language ? <LanguageSheet open={panel === 'language'} onClose={() => setPanel(null)} /> : null}
    </header>
  )
}
