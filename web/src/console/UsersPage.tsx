import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { read } from '@/api/createApi'
import { useFormats } from '@/i18n/format'
import { navigate } from '@/navigation/location'
import { Pill } from '@/ui/Badge'
import { EmptyState } from '@/ui/State'
import { api } from './client'
import { DataTable } from './DataTable'
import { Loaded, Page } from './Page'
import { hrefTo, usePlace } from './routing'
import { SearchField } from './SearchField'
import { UserName, UserPills } from './UserPills'

/** Finds users. */
export function UsersPage() {
  const { t } = useLingui()
  const { query } = usePlace()
  const asked = query.get('query') ?? ''
  return (
    <Page title={<Trans>Users</Trans>}>
      <SearchField
        key={asked}
        label={t`Find a user`}
        hint={t`A user ID, an ME ID, a part of a nickname, or a complete email address. Press / to search.`}
        asked={asked}
        search={(text) => navigate(hrefTo('/console/users', { query: text }))}
        autoFocus={asked === ''}
      />
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
    queryFn: () => read(api.GET('/console/users', { params: { query: { query: asked } } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={found}>
      {(users) =>
        users.length === 0 ? (
          <EmptyState
            title={<Trans>No user found</Trans>}
            text={
              <Trans>
                Check the spelling. A part of a nickname has at least two characters, and an email address
                must be complete.
              </Trans>
            }
          />
        ) : (
          <DataTable
            label={t`Users`}
            rows={users}
            rowKey={(user) => user.id}
            onOpen={(user) => navigate(`/console/users/${user.id}`)}
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
