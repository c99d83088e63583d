import { Skeleton } from '@/ui/Skeleton'

/** Shown while the code of a screen loads. */
export function PagePending() {
  return (
    <div className="flex flex-col gap-4 pt-4">
      <Skeleton className="h-7 w-44" />
      <Skeleton className="h-36 w-full rounded-3xl" />
      <Skeleton className="h-36 w-full rounded-3xl" />
    </div>
  )
}
