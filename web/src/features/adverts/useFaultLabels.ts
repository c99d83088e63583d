import { useLingui } from '@lingui/react/macro'
import { useFormats } from '@/i18n/format'
import type { Fault } from './draft'

/** Returns the texts for faults, with the bound that was exceeded. */
export function useFaultLabels(): (fault: Fault | undefined, unit: string) => string {
  const { t } = useLingui()
  const { amount } = useFormats()
  return (fault, unit) => {
    switch (fault?.why) {
      case undefined:
        return ''
      case 'missing':
        return t`Enter an amount above zero.`
      case 'below':
        return t`At least ${amount(fault.bound)} ${unit}`
      case 'above':
        return t`At most ${amount(fault.bound)} ${unit}`
      case 'contact':
        return t`Don’t include phone numbers, links, account names or email addresses.`
      case 'words':
        return t`The remark contains words that aren’t allowed.`
    }
  }
}
