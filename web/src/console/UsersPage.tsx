import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search, Users } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { TextField } from '@/ui/Field'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { Loaded, Page } from './Page'
import { hrefTo, usePlace } from './routing'
import { useShortcuts } from './shortcuts'
import { UserName, UserPills } from './UserPills'

/** Finds users. */
export function UsersPage() {
  const { t } = useLingui()
  const { query } = usePlace()
  const asked = query.get('query') ?? ''
  const [text, setText] = useState(asked)
  const form = useRef<HTMLFormElement>(null)
  useShortcuts({ '/': () => form.current?.querySelector('input')?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate(hrefTo('/ops/users', { query: text.trim() }))
  }
  return (
    <Page title={<Trans>Users</Trans>}>
      <form ref={form} role="search" onSubmit={submit} className="flex items-start gap-3">
        <div className="max-w-xl flex-1">
          <TextField
            label={t`Find a user`}
            type="search"
            value={text}
            onChange={setText}
            hint={t`A user ID, a nickname or a complete email address. Press / to search.`}
            autoFocus={asked === ''}
          />
        </div>
        <Button type="submit" className="mt-7">
          <Search size={18} aria-hidden="true" />
          <Trans>Search</Trans>
        </Button>
      </form>
      {asked === '' ? (
        <EmptyState
          icon={Users}
          title={<Trans>Whom are you looking for?</Trans>}
          text={<Trans>Email addresses are masked here. Personal data is visible only inside a case.</Trans>}
        />
      ) : (
        <Found asked={asked} />
      )}
    </Page>
  )
}

function Found({ asked }: { asked: string }) {
  const { t } = useLingui()
  const { day } = useFormats()
  const found = useQuery({
    queryKey: ['users', asked],
    queryFn: () => read(api.GET('/ops/users', { params: { query: { query: asked } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={found}>
      {(users) =>
        users.length === 0 ? (
          <EmptyState
            title={<Trans>No user found</Trans>}
            text={<Trans>Check the spelling. An email address must be complete.</Trans>}
          />
        ) : (
          <DataTable
            label={t`Users`}
            rows={users}
            rowKey={(user) => user.id}
            onOpen={(user) => navigate(`/ops/users/${user.id}`)}
            columns={[
              { title: t`Nickname`, cell: (user) => <UserName user={user} /> },
              { title: t`Email`, cell: (user) => user.email ?? '–' },
              { title: t`Region`, cell: (user) => user.region },
              { title: t`Credit score`, right: true, cell: (user) => user.reputation },
              { title: t`Status`, cell: (user) => <UserPills user={user} none={<Pill>{t`Normal`}</Pill>} /> },
              { title: t`Registered`, cell: (user) => (user.createdAt === null ? '–' : day(user.createdAt)) },
            ]}
          />
        )
      }
    </Loaded>
  )
}
