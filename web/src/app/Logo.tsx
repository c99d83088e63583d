/** The logo: an M that depicts a handover between two parties. */
export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="9" className="fill-brand-fill" />
      <path
        d="M8 20.5V11l8 6 8-6v9.5"
        fill="none"
        className="stroke-on-brand"
        strokeWidth="2.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
