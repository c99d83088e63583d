/** Shows how much of an amount has arrived, and how much is confirmed. Floats are for drawing only. */
export function Meter({
  label,
  needed,
  received,
  confirming,
}: {
  label: string
  needed: string
  received: string
  confirming: string
}) {
  const whole = Number(needed) || 1
  const sure = Math.min(100, (Number(received) / whole) * 100)
  const coming = Math.min(100 - sure, (Number(confirming) / whole) * 100)
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(sure)}
      className="flex h-2.5 overflow-hidden rounded-full bg-sunken"
    >
      <span className="bg-brand-fill transition-[width] duration-500" style={{ width: `${sure}%` }} />
      <span
        className="animate-breathe bg-warn transition-[width] duration-500"
        style={{ width: `${coming}%` }}
      />
    </div>
  )
}
