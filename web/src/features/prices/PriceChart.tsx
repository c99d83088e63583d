import { Trans, useLingui } from '@lingui/react/macro'
import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type MouseEventParams,
  type UTCTimestamp,
} from 'lightweight-charts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { PricePoint } from '@/api/types'
import { useFormats } from '@/i18n/format'
import { useBucketName } from './useBucketName'
import { useChartColors } from './useChartColors'

export type ChartStyle = 'candles' | 'line'

export interface PriceChartProps {
  /** Oldest first. */
  points: readonly PricePoint[]
  /** The hour or day that the crosshair selects. */
  index: number
  hourly: boolean
  style: ChartStyle
  /** Receives the hour or day under the pointer or chosen with the keyboard; null once the pointer has left. */
  onChoose: (index: number | null) => void
}

interface Drawn {
  chart: IChartApi
  price: ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>
  volume: ISeriesApi<'Histogram'>
}

/** The largest number of decimals of a price. */
const MOST_DECIMALS = 8

function isTimestamp(seconds: number): seconds is UTCTimestamp {
  return Number.isInteger(seconds)
}

function secondsOf(point: PricePoint): UTCTimestamp {
  const seconds = Date.parse(point.at) / 1000
  if (!isTimestamp(seconds)) throw new Error(`${point.at} is not the start of an hour`)
  return seconds
}

function decimalsOf(points: readonly PricePoint[]): number {
  const decimals = points.flatMap((point) =>
    [point.high, point.low].map((text) => text.split('.')[1]?.length ?? 0),
  )
  return Math.min(Math.max(2, ...decimals), MOST_DECIMALS)
}

/** Prices and volumes over time. Moves and zooms with pointer and fingers; the arrow keys move the crosshair. */
export default function PriceChart({ points, index, hourly, style, onChoose }: PriceChartProps) {
  const { t, i18n } = useLingui()
  const { amount } = useFormats()
  const name = useBucketName(hourly)
  const holder = useRef<HTMLDivElement>(null)
  const [colors, probes] = useChartColors()
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const decimals = decimalsOf(points)

  useEffect(() => {
    const element = holder.current
    if (element === null || colors === null) return
    const { ink, muted, line, rise, fall } = colors
    const chart = createChart(element, {
      autoSize: true,
      // A link inside the slider could not be reached; it follows the chart.
      layout: {
        background: { color: 'transparent' },
        textColor: muted,
        fontFamily: 'inherit',
        attributionLogo: false,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderVisible: false },
      timeScale: { borderVisible: false, timeVisible: hourly, secondsVisible: false },
      crosshair: { vertLine: { color: ink, labelVisible: false }, horzLine: { color: ink } },
      localization: { locale: i18n.locale },
    })
    const priceFormat = { type: 'price', precision: decimals, minMove: 10 ** -decimals } as const
    const price =
      style === 'candles'
        ? chart.addSeries(CandlestickSeries, {
            upColor: rise,
            wickUpColor: rise,
            downColor: fall,
            wickDownColor: fall,
            borderVisible: false,
            priceFormat,
          })
        : chart.addSeries(LineSeries, { color: rise, lineWidth: 2, priceFormat })
    price.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.26 } })
    const volume = chart.addSeries(HistogramSeries, {
      color: line,
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.8, bottom: 0 } })
    setDrawn({ chart, price, volume })
    return () => {
      setDrawn(null)
      chart.remove()
    }
  }, [style, hourly, decimals, colors, i18n.locale])

  useEffect(() => {
    if (drawn === null) return
    // Floats are for drawing only.
    const prices = points.map((point) => ({
      time: secondsOf(point),
      open: Number(point.open),
      high: Number(point.high),
      low: Number(point.low),
      close: Number(point.close),
      value: Number(point.close),
    }))
    drawn.price.setData(prices)
    drawn.volume.setData(points.map((point) => ({ time: secondsOf(point), value: Number(point.volume) })))
  }, [drawn, points])

  useEffect(() => {
    if (drawn === null) return
    drawn.chart.timeScale().fitContent()
  }, [drawn])

  useEffect(() => {
    if (drawn === null) return
    const choose = ({ time }: MouseEventParams) => {
      const found = points.findIndex((point) => secondsOf(point) === time)
      onChoose(found === -1 ? null : found)
    }
    drawn.chart.subscribeCrosshairMove(choose)
    return () => drawn.chart.unsubscribeCrosshairMove(choose)
  }, [drawn, points, onChoose])

  const last = points.length - 1
  const moves: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    PageUp: index - 7,
    PageDown: index + 7,
    Home: 0,
    End: last,
  }
  const move = (event: KeyboardEvent) => {
    const next = moves[event.key]
    if (next === undefined || drawn === null) return
    event.preventDefault()
    const to = Math.min(Math.max(next, 0), last)
    const point = points[to]
    if (point === undefined) return
    drawn.chart.setCrosshairPosition(Number(point.close), secondsOf(point), drawn.price)
    onChoose(to)
  }
  const point = points[index]
  return (
    <>
      {probes}
      <div
        ref={holder}
        role="slider"
        tabIndex={0}
        aria-label={t`Price chart`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={
          point === undefined
            ? ''
            : t`${name(point.at)}: from ${amount(point.open)} to ${amount(point.close)}`
        }
        onKeyDown={move}
        onBlur={() => {
          drawn?.chart.clearCrosshairPosition()
          onChoose(null)
        }}
        className="h-80 w-full touch-pan-y lg:h-112"
      />
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-11 items-center self-end text-muted text-xs"
      >
        <Trans>Chart by TradingView</Trans>
      </a>
    </>
  )
}
