import { type ReactNode, useEffect, useRef, useState } from 'react'

export interface ChartColors {
  ink: string
  muted: string
  line: string
  rise: string
  fall: string
}

/** The classes whose colors the chart has, which depend on the theme. */
const PROBES = {
  ink: 'text-ink',
  muted: 'text-muted',
  line: 'text-line',
  rise: 'text-brand',
  fall: 'text-sell',
}

/**
 * Returns the colors of the theme as a canvas understands them, and the elements from which they are read. They are read again
 * when the theme changes.
 */
export function useChartColors(): [ChartColors | null, ReactNode] {
  const holder = useRef<HTMLSpanElement>(null)
  const [colors, setColors] = useState<ChartColors | null>(null)
  useEffect(() => {
    const read = () => {
      const found: ChartColors = { ink: '', muted: '', line: '', rise: '', fall: '' }
      for (const element of holder.current?.children ?? []) {
        const name = element.getAttribute('data-color')
        if (name !== null && name in found) Object.assign(found, { [name]: getComputedStyle(element).color })
      }
      setColors((known) => (JSON.stringify(known) === JSON.stringify(found) ? known : found))
    }
    read()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', read)
    const chosen = new MutationObserver(read)
    chosen.observe(document.documentElement, { attributes: true })
    return () => {
      system.removeEventListener('change', read)
      chosen.disconnect()
    }
  }, [])
  const probes = (
    <span ref={holder} hidden>
      {Object.entries(PROBES).map(([name, className]) => (
        <span key={name} data-color={name} className={className} />
      ))}
    </span>
  )
  return [colors, probes]
}
