/** Formats a duration in hours, or in minutes below an hour. Rounds up, so that no duration looks shorter than it is. */
export function duration(locale: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const [unit, value] = minutes < 60 ? (['minute', minutes] as const) : (['hour', minutes / 60] as const)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
    roundingMode: 'ceil',
  }).format(value)
}
