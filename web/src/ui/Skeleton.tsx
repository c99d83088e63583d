/** A placeholder for text. Pages set its final height, so that the layout does not shift. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-sheen rounded-lg bg-sunken ${className}`} />
}
