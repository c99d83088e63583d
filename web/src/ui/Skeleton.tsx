/** A grey bar where text will be; pages give it the height of what comes, so nothing jumps. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-sheen rounded-lg bg-sunken ${className}`} />
}
