import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Globe, LogOut } from 'lucide-react'
import { useState } from 'react'
import { logOut } from '@/api/logOut'
import { currentUser } from '@/api/queries'
import { useLanguageStore } from '@/i18n/catalogs'
import { AppLink } from '@/navigation/navigation'
import { useSession } from '@/session/session'
import { Avatar, TraderBadges } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { Segments } from '@/ui/Chip'
import { Sheet } from '@/ui/Sheet'
import { useCreditChanged } from './live'
import { MENU_ROUTES } from './routes'
import { chooseTheme, type ThemeChoice, useTheme } from './theme'
import { useUnreadMessages } from './useUnreadMessages'

export default function Menu({
  open,
  onClose,
  onLanguage,
}: {
  open: boolean
  onClose: () => void
  onLanguage: () => void
}) {
  const { t } = useLingui()
  const [leaving, setLeaving] = useState(false)
  const userId = useSession((state) => state.userId) ?? ''
  const user = useQuery({ ...currentUser(userId), refetchInterval: false }).data
  const changed = useCreditChanged()
  const unread = useUnreadMessages()
  const theme = useTheme((state) => state.choice)
  const language = useLanguageStore((state) => state.language)
  return (
    <Sheet open={open} onClose={onClose} title={t`Menu`} side="right">
      {user === undefined ? null : (
        <div className="mb-4 flex items-center gap-3 rounded-2xl bg-sunken p-3.5">
          <Avatar name={user.nickname ?? user.email} size={44} />
          <div className="min-w-0">
            <p className="flex items-center gap-1.5 font-semibold">
              <span className="min-w-0 [overflow-wrap:anywhere]">{user.nickname ?? user.email}</span>
              <TraderBadges certified={user.certified} verified={user.verified} />
            </p>
            <p className="text-muted text-sm">
              <Trans>Credit {user.reputation}</Trans>
            </p>
          </div>
        </div>
      )}
      <ul onClickCapture={onClose}>
        {MENU_ROUTES.map((row) => (
          <li key={row.path}>
            <AppLink
              to={row.path}
              className="flex min-h-13 items-center justify-between gap-3 rounded-xl px-2 hover:bg-sunken"
            >
              <span className="flex items-center gap-2.5">
                {t(row.title)}
                {changed && row.path === '/personalCenter' ? (
                  <>
                    <span aria-hidden="true" className="size-2.5 rounded-full bg-sell-fill" />
                    <span className="sr-only">
                      <Trans>your credit score changed</Trans>
                    </span>
                  </>
                ) : null}
                {unread > 0 && row.path === '/chat' ? (
                  <span className="rounded-full bg-sell-fill px-2 font-bold text-on-sell text-xs leading-5">
                    <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
                    <span className="sr-only">
                      <Trans>Unread messages: {unread}</Trans>
                    </span>
                  </span>
                ) : null}
              </span>
              <ChevronRight size={18} className="text-muted" aria-hidden="true" />
            </AppLink>
          </li>
        ))}
      </ul>
      <hr className="my-3 border-line" />
      <button
        type="button"
        onClick={onLanguage}
        className="flex min-h-13 w-full items-center justify-between gap-3 rounded-xl px-2 hover:bg-sunken"
      >
        <span className="flex items-center gap-3">
          <Globe size={19} className="text-muted" aria-hidden="true" />
          <Trans>Language</Trans>
        </span>
        <span className="text-muted text-sm">{language.name}</span>
      </button>
      <div className="py-2">
        <Segments<ThemeChoice>
          name="theme"
          label={t`Theme`}
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'auto', label: t`Auto` },
            { value: 'dark', label: t`Dark` },
            { value: 'light', label: t`Light` },
          ]}
        />
      </div>
      <hr className="my-3 border-line" />
      {leaving ? (
        <div role="alert" className="rounded-2xl bg-sunken p-4">
          <p className="mb-3 font-medium">
            <Trans>Log out? Your ads will go offline. Active orders continue.</Trans>
          </p>
          <div className="flex gap-2">
            <Button tone="danger" size="small" wide onClick={() => void logOut()}>
              <Trans>Log out</Trans>
            </Button>
            <Button tone="plain" size="small" wide onClick={() => setLeaving(false)} className="bg-raised">
              <Trans>Stay logged in</Trans>
            </Button>
          </div>
        </div>
      ) : (
        <button
          type="button"
          onClick={() => setLeaving(true)}
          className="flex min-h-13 w-full items-center gap-3 rounded-xl px-2 text-sell hover:bg-sunken"
        >
          <LogOut size={19} aria-hidden="true" />
          <Trans>Log out</Trans>
        </button>
      )}
    </Sheet>
  )
}
