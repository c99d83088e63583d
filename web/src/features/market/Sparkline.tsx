/** The price curve of the last 24 hours. Hidden from screen readers, because the figures are next to it. */
export function Sparkline({ values, down }: { values: readonly string[]; down: boolean }) {
  const width = 96
  const height = 30
  // Floats are for drawing only.
  const points = values.map(Number)
  const low = Math.min(...points)
  const range = Math.max(...points) - low || 1
  const path = points
    .map((value, index) => {
      const x = (index / (points.length - 1)) * width
      const y = height - 2 - ((value - low) / range) * (height - 4)
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
      className={down ? 'text-sell' : 'text-brand'}
    >
      <path d={`${path}L${width} ${height}L0 ${height}Z`} fill="currentColor" opacity="0.12" />
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
