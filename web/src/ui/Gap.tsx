import { useLingui } from '@lingui/react/macro'

/** The space between two sentences. Chinese has none: its full stop is as wide as a character. */
export function Gap() {
  const { i18n } = useLingui()
  return i18n.locale.startsWith('zh') ? null : ' '
}
