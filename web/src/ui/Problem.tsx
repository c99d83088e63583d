import type { ReactNode } from 'react'

/** Says what is wrong with a form, next to what it concerns. Shows nothing without a text. */
export function Problem({
  id,
  children,
  className = '',
}: {
  id?: string
  children: ReactNode
  className?: string
}) {
  if (children === '') return null
  return (
    <p id={id} role="alert" className={`text-sell text-sm ${className}`}>
      {children}
    </p>
  )
}
