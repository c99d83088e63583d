import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Spinner } from './Spinner'

export type ButtonTone = 'brand' | 'sell' | 'strong' | 'plain' | 'quiet' | 'danger'

const TONES: Record<ButtonTone, string> = {
  brand: 'bg-brand-fill text-on-brand',
  sell: 'bg-sell-fill text-on-sell',
  strong: 'bg-ink text-canvas',
  plain: 'bg-sunken text-ink',
  quiet: 'bg-transparent text-brand',
  danger: 'bg-sell-soft text-sell',
}
const SIZES = {
  small: 'min-h-11 px-4 text-sm rounded-xl',
  normal: 'min-h-12 px-5 text-base rounded-2xl',
  large: 'min-h-14 px-6 text-lg rounded-2xl',
} as const

/** Returns the classes of a button, for links that look like buttons. */
export function buttonClass(tone: ButtonTone, size: keyof typeof SIZES, wide: boolean): string {
  return `inline-flex items-center justify-center gap-2 text-center font-semibold leading-tight select-none transition-[opacity,transform] active:scale-[0.98] active:opacity-85 disabled:opacity-45 disabled:active:scale-100 ${TONES[tone]} ${SIZES[size]} ${wide ? 'w-full min-w-0' : 'max-w-full shrink-0'}`
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: ButtonTone
  size?: keyof typeof SIZES
  wide?: boolean
  /** Shows a spinner and ignores taps. */
  busy?: boolean
  children: ReactNode
}

export function Button({
  tone = 'brand',
  size = 'normal',
  wide = false,
  busy = false,
  type = 'button',
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' ? 'submit' : 'button'}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`${buttonClass(tone, size, wide)} ${className}`}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  )
}

/** A round button with an icon; its label is for screen readers. */
export function IconButton({
  label,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      className={`inline-grid size-11 shrink-0 place-items-center rounded-full text-ink transition-colors hover:bg-sunken active:opacity-70 ${className}`}
    >
      {children}
    </button>
  )
}
