import { Trans } from '@lingui/react/macro'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { Pair, PricePoint } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useBucketName } from './useBucketName'

/** The prices of the chart as a table, newest first. */
export function PriceTable({ pair, points, hourly }: { pair: Pair; points: PricePoint[]; hourly: boolean }) {
  // A hidden table of a year takes time to build.
  const [open, setOpen] = useState(false)
  return (
    <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 list-none items-center justify-between font-medium">
        <Trans>Show as a table</Trans>
        <ChevronDown
          size={18}
          aria-hidden="true"
          className="text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      {open ? <Rows pair={pair} points={points} hourly={hourly} /> : null}
    </details>
  )
}

function Rows({ pair, points, hourly }: { pair: Pair; points: PricePoint[]; hourly: boolean }) {
  const { amount, short } = useFormats()
  const name = useBucketName(hourly)
  const cell = 'px-2 py-2 text-right whitespace-nowrap'
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
      tabIndex={0}
      role="region"
      aria-label={`${pair.base}/${pair.quote}`}
      className="-mx-4 overflow-x-auto px-4"
    >
      <table
        aria-label={`${pair.base}/${pair.quote}`}
        className="w-full border-collapse text-sm tabular-nums"
      >
        <thead className="text-muted">
          <tr>
            <th scope="col" className="py-2 pr-2 text-left font-medium">
              <Trans>Time</Trans>
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              <Trans context="price">Open</Trans>
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              <Trans>High</Trans>
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              <Trans>Low</Trans>
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              <Trans context="price">Close</Trans>
            </th>
            <th scope="col" className={`${cell} pr-0 font-medium`}>
              <Trans>Volume</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.at} className="border-line border-t">
              <th scope="row" className="whitespace-nowrap py-2 pr-2 text-left font-normal">
                {name(point.at)}
              </th>
              <td className={cell}>{amount(point.open)}</td>
              <td className={cell}>{amount(point.high)}</td>
              <td className={cell}>{amount(point.low)}</td>
              <td className={cell}>{amount(point.close)}</td>
              <td className={`${cell} pr-0`}>{short(point.volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
