import encodeQR from 'qr'

/** A QR code, black on white in both themes, as scanners expect. */
export default function QrCodeDrawing({
  text,
  label,
  size = 200,
}: {
  text: string
  label: string
  size?: number
}) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  let path = ''
  rows.forEach((row, y) => {
    row.forEach((dark, x) => {
      if (dark) path += `M${x} ${y}h1v1h-1z`
    })
  })
  return (
    <div className="rounded-3xl bg-white p-4" style={{ width: size + 32 }}>
      <svg
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        role="img"
        aria-label={label}
        width={size}
        height={size}
        shapeRendering="crispEdges"
      >
        <path d={path} fill="#000" />
      </svg>
    </div>
  )
}
