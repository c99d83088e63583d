import type { Pair } from './types'

/** A change of a setting. */
export interface SettingChange {
  name: string
  before: string
  after: string
}

/** Returns the value of a setting. */
export function settingOf(pair: Pair, name: string): string {
  return pair.settings.find((setting) => setting.name === name)?.value ?? ''
}

/** Returns the settings that differ from those of the pair, in the order of the form. */
export function changedSettings(pair: Pair, values: Readonly<Record<string, string>>): SettingChange[] {
  return pair.settings.flatMap(({ name, value }) => {
    const after = (values[name] ?? value).trim()
    return after === value ? [] : [{ name, before: value, after }]
  })
}

/** Returns the unit of a setting; undefined for a plain number or a share. */
export function unitOf(name: string, pair: Pair, minutes: string): string | undefined {
  if (name.endsWith('_window') || name === 'grace_period') return minutes
  if (name === 'fee_minimum') return pair.base
  return name.startsWith('order_') ? pair.quote : undefined
}
