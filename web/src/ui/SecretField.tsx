import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { TextField, type TextFieldProps } from './Field'

/** A password field with a button that shows the password. */
export function SecretField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          aria-label={shown ? t`Hide password` : t`Show password`}
          className="grid size-11 place-items-center rounded-full"
        >
          {shown ? <EyeOff size={20} /> : <Eye size={20} />}
        </button>
      }
    />
  )
}
