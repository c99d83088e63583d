type Unit = 'second' | 'minute' | 'hour'

function inUnit(locale: string, unit: Unit, value: number): string {
  const chinese = locale.startsWith('zh')
  const text = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    // The long form of seconds is stilted in Chinese.
    unitDisplay: chinese ? 'short' : 'long',
    maximumFractionDigits: 1,
    roundingMode: 'ceil',
  }).format(value)
  // All Chinese texts have a space between a number and a word.
  return chinese ? text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ') : text
}

/** Formats a duration in hours, or in minutes below an hour. Rounds up, so that no duration looks shorter than it is. */
export function duration(locale: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? inUnit(locale, 'minute', minutes) : inUnit(locale, 'hour', minutes / 60)
}

/** Formats how long to wait, as a person would say it. Rounds up, so that no one comes back too early. */
export function wait(locale: string, seconds: number): string {
  if (seconds < 60) return inUnit(locale, 'second', Math.ceil(seconds))
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return inUnit(locale, 'minute', minutes)
  const hours = inUnit(locale, 'hour', Math.floor(minutes / 60))
  return minutes % 60 === 0 ? hours : `${hours} ${inUnit(locale, 'minute', minutes % 60)}`
}
