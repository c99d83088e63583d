import type { ReactNode } from 'react'

/** Says what is wrong with a form, next to what it concerns. Shows nothing without a text. */
export function Problem({ children, className = '' }: { children: ReactNode; className?: string }) {
  if (children === '') return null
  return (
    <p role="alert" className={`text-sell text-sm ${className}`}>
      {children}
    </p>
  )
}
