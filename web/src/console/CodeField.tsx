import { useLingui } from '@lingui/react/macro'
import { TextField } from '@/ui/Field'
import { codeDigits } from './codeDigits'

/** The field for the code that the authenticator app shows. */
export function CodeField({
  value,
  onChange,
  hint = '',
  tried,
}: {
  value: string
  onChange: (code: string) => void
  hint?: string
  /** Whether the form was submitted. Before that, the field does not complain. */
  tried: boolean
}) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Code from your authenticator app`}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      value={value}
      onChange={onChange}
      hint={hint}
      error={tried && codeDigits(value) === '' ? t`Enter the six digits.` : ''}
    />
  )
}
