import { useQuery } from '@tanstack/react-query'
import { isApiError } from '@/api/envelope'
import { QueryError } from '@/command/QueryError'
import { StaleNotice } from '@/command/StaleNotice'
import { Skeleton } from '@/ui/Skeleton'
import { CaseScreen } from './CaseScreen'
import { oneCase } from './data'
import { JoinPage } from './JoinPage'

/** The code with which calls about a case are refused to officers who have not joined it. */
const NOT_ON_CASE = '6008'

/** A case, for an officer who is on it; to others, the offer to join it. */
export function CasePage({ id, officer }: { id: string; officer: string }) {
  const loaded = useQuery(oneCase(id))
  if (isApiError(loaded.error) && loaded.error.code === NOT_ON_CASE)
    return <JoinPage id={id} officer={officer} />
  if (loaded.data !== undefined)
    return (
      <>
        <StaleNotice query={loaded} />
        <CaseScreen found={loaded.data} officer={officer} />
      </>
    )
  if (loaded.isError) return <QueryError error={loaded.error} retry={() => void loaded.refetch()} />
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <Skeleton className="h-20 w-full rounded-2xl" />
      <div className="grid min-h-0 flex-1 grid-cols-3 gap-4">
        <Skeleton className="h-full rounded-2xl" />
        <Skeleton className="h-full rounded-2xl" />
        <Skeleton className="h-full rounded-2xl" />
      </div>
    </div>
  )
}
