import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'

export interface FieldFrameProps {
  label: ReactNode
  /** A hint below the control. An error replaces it. */
  hint?: ReactNode
  error?: ReactNode
  /** Content beside the label, right aligned. */
  aside?: ReactNode
}

interface Ids {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A label, a control, and one line below it for the hint or the error. */
export function FieldFrame({
  label,
  hint,
  error,
  aside,
  children,
}: FieldFrameProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId()
  const wrong = error !== undefined && error !== null && error !== ''
  const note = wrong ? error : hint
  const noted = note !== undefined && note !== null && note !== ''
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <label htmlFor={id} className="font-medium text-ink">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': noted ? `${id}-note` : undefined,
        'aria-invalid': wrong || undefined,
      })}
      <p
        id={`${id}-note`}
        role={wrong ? 'alert' : undefined}
        className={`min-h-5 pb-1.5 text-sm leading-snug ${wrong ? 'text-sell' : 'text-muted'}`}
      >
        {note}
      </p>
    </div>
  )
}

export const inputClass =
  'min-h-13 w-full rounded-2xl border border-line bg-surface px-4 text-base text-ink transition-colors -outline-offset-1 aria-invalid:border-sell disabled:opacity-60'

export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>,
    FieldFrameProps {
  value: string
  onChange: (value: string) => void
  /** Content inside the box, after the input. */
  suffix?: ReactNode
}

export function TextField({
  label,
  hint,
  error,
  aside,
  value,
  onChange,
  suffix,
  className = '',
  ...rest
}: TextFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <div className="relative">
          <input
            {...rest}
            {...ids}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${inputClass} ${suffix === undefined ? '' : 'pr-28'} ${className}`}
          />
          {suffix === undefined ? null : (
            <div className="absolute inset-y-0 right-1.5 flex items-center gap-1 text-muted text-sm">
              {suffix}
            </div>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

export interface TextAreaProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'>,
    FieldFrameProps {
  value: string
  onChange: (value: string) => void
}

export function TextArea({ label, hint, error, aside, value, onChange, ...rest }: TextAreaProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <textarea
          rows={3}
          {...rest}
          {...ids}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClass} resize-none py-3`}
        />
      )}
    </FieldFrame>
  )
}

export interface SelectFieldProps extends FieldFrameProps {
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; label: string }[]
  placeholder?: string
  disabled?: boolean
}

/** A field with the native picker, which works best on phones and is accessible everywhere. */
export function SelectField({
  label,
  hint,
  error,
  aside,
  value,
  onChange,
  options,
  placeholder,
  disabled,
}: SelectFieldProps) {
  return (
    <FieldFrame label={label} hint={hint} error={error} aside={aside}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          className={`${inputClass} select-chevron appearance-none pr-11`}
        >
          {placeholder === undefined ? null : (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-surface">
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
