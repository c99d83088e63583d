function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([name, part]) => `${name} ${shown(part)}`)
      .join(', ')
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** Describes the details of an audit entry in lines: a change as `before → after`, anything else as `name: value`. */
export function detailLines(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return []
  const facts: Record<string, unknown> = { ...details }
  const { before, after, setting, ...rest } = facts
  const named = typeof setting === 'string' ? `${setting}: ` : ''
  const change =
    'after' in facts
      ? ['before' in facts ? `${named}${shown(before)} → ${shown(after)}` : `${named}${shown(after)}`]
      : []
  const others = Object.entries(rest).filter(([, value]) => value !== null)
  return [...change, ...others.map(([name, value]) => `${name}: ${shown(value)}`)]
}
