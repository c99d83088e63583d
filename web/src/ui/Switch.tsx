export function Switch({
  on,
  label,
  busy = false,
  onChange,
}: {
  on: boolean
  label: string
  busy?: boolean
  onChange: (on: boolean) => void
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      disabled={busy}
      onClick={() => onChange(!on)}
      className="relative inline-flex h-11 w-16 shrink-0 items-center justify-center"
    >
      <span className={`h-8 w-14 rounded-full p-1 transition-colors ${on ? 'bg-brand-fill' : 'bg-muted'}`}>
        <span
          className={`block size-6 rounded-full bg-white shadow transition-transform ${on ? 'translate-x-6' : ''}`}
        />
      </span>
    </button>
  )
}
