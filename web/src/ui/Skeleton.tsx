/** A placeholder for text; pages give it the final height, so nothing jumps. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-sheen rounded-lg bg-sunken ${className}`} />
}
