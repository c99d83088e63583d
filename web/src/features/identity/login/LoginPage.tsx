import { Trans, useLingui } from '@lingui/react/macro'
import { QrCode, ShieldCheck } from 'lucide-react'
import { type ComponentProps, type FormEvent, useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError } from '@/api/envelope'
import type { PassResult } from '@/api/types'
import { LoadFailed } from '@/command/LoadFailed'
import { useCommand } from '@/command/useCommand'
import type Pass from '@/components/pass/PassPanel'
import { pendingChallenge } from '@/components/pass/passChallenges'
import { usePassReturn } from '@/components/pass/usePassReturn'
import { loadCatalog } from '@/i18n/catalogs'
import { AppLink, hrefTo, useGo, useQueryParam } from '@/navigation/navigation'
import { signIn } from '@/session/session'
import { Button, buttonClass } from '@/ui/Button'
import { Notice } from '@/ui/Card'
import { TextField } from '@/ui/Field'
import { loadable } from '@/ui/loadable'
import { PanelFailed } from '@/ui/PanelFailed'
import { SecretField } from '@/ui/SecretField'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import { beginRegistration } from '../registration'
import type Slide from '../SlideSheet'
import { isEmail } from '../validation'
import { LiveMarket } from './LiveMarket'

/** Not needed to show the login. */
const PassPanel = loadable<ComponentProps<typeof Pass>>(
  async () => {
    const [module] = await Promise.all([import('@/components/pass/PassPanel'), loadCatalog('pass')])
    return module
  },
  (_, retry) => <LoadFailed retry={retry} />,
)
const SlideSheet = loadable<ComponentProps<typeof Slide>>(
  async () => {
    const [module] = await Promise.all([import('../SlideSheet'), loadCatalog('identity')])
    return module
  },
  ({ open, onClose }) => (open ? <PanelFailed onClose={onClose} /> : null),
)

export default function LoginPage() {
  const { t } = useLingui()
  const go = useGo()
  const next = useQueryParam('next')
  const loggedOut = useQueryParam('out') === '1'
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const [back, putBackAside] = usePassReturn('/login', { next })
  const [sheet, setSheet] = useState<'slide' | 'pass' | null>(() =>
    back === null && pendingChallenge('login') === null ? null : 'pass',
  )

  const [slideAsked, setSlideAsked] = useState(false)

  const emailError = isEmail(email.trim()) ? '' : t`Enter a valid email address.`
  const passwordError = password === '' ? t`Enter your password.` : ''
  const enter = (token: string, userId: string) => {
    signIn(token, userId)
    go.follow(next === '' ? '/' : next)
  }

  const login = useCommand({
    run: async (slideToken: string | null, headers, seal) =>
      read(
        api.POST('/user/login', {
          body: { email: email.trim(), password: await seal(password), slideToken },
          headers,
        }),
      ),
    done: ({ token, userId }) => enter(token, userId),
    // The server asks for the slide check on a device that the account doesn't know, and after wrong passwords.
    refused: (error) => {
      const asked = isApiError(error) && error.code === '1042'
      if (asked) {
        setSlideAsked(true)
        setSheet('slide')
      }
      return asked
    },
  })
  const proven = (result: PassResult) => {
    if (result.session !== null) {
      enter(result.session.token, result.session.userId)
      return
    }
    beginRegistration(result)
    toast(t`This pass isn’t registered yet. Create an account.`)
    go.to('/register')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (emailError === '' && passwordError === '') login.send(null)
  }

  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 pt-6">
      <h2 className="font-bold text-3xl leading-tight tracking-tight">
        <Trans>Trade directly with other people. Coins stay in escrow until the trade is complete.</Trans>
      </h2>
      {loggedOut ? (
        <Notice tone="good">
          <Trans>You’re logged out.</Trans>
        </Notice>
      ) : null}
      <form onSubmit={submit} noValidate className="flex flex-col gap-1">
        <TextField
          label={t`Email`}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          value={email}
          onChange={setEmail}
          error={tried ? emailError : ''}
        />
        <SecretField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={tried ? passwordError : ''}
          aside={
            <AppLink to="/forgot" className="-my-2 inline-flex min-h-11 items-center font-medium text-brand">
              <Trans>Forgot password?</Trans>
            </AppLink>
          }
        />
        <Button type="submit" size="large" wide busy={login.busy}>
          <Trans>Log in</Trans>
        </Button>
      </form>
      <div className="flex flex-col gap-3">
        <Button tone="plain" wide onClick={() => setSheet('pass')}>
          <QrCode size={19} aria-hidden="true" />
          <Trans>Log in with your pass</Trans>
        </Button>
        <AppLink to="/register" className={buttonClass('quiet', 'normal', true)}>
          <Trans>Create account</Trans>
        </AppLink>
      </div>
      <p className="flex items-start gap-2.5 text-muted text-sm leading-relaxed">
        <ShieldCheck size={18} className="mt-0.5 shrink-0 text-brand" aria-hidden="true" />
        <Trans>
          Your password is encrypted on this device before it’s sent. We’ll never ask for it in a chat.
        </Trans>
      </p>
      <LiveMarket />
      {slideAsked ? (
        <SlideSheet
          open={sheet === 'slide'}
          onClose={() => setSheet(null)}
          onToken={(token) => {
            setSheet(null)
            login.send(token)
          }}
        />
      ) : null}
      <Sheet
        open={sheet === 'pass'}
        onClose={() => {
          setSheet(null)
          putBackAside()
        }}
        title={t`Log in with your pass`}
      >
        {sheet === 'pass' ? (
          <PassPanel purpose="login" returnTo={hrefTo('/login', { next })} back={back} onProven={proven} />
        ) : null}
      </Sheet>
    </div>
  )
}
