const HUES = [164, 22, 205, 282, 340, 48]

/** Returns numbers between 0 and 1 that depend only on the seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function flower(next: () => number, hue: number): string {
  const [x, height] = [Math.round(20 + next() * 216), Math.round(50 + next() * 110)]
  const [y, petals] = [256 - height, 5 + Math.floor(next() * 4)]
  const size = 8 + next() * 12
  const turned = Array.from({ length: petals }, (_, index) => {
    const angle = (index * 360) / petals
    return `<ellipse cx="${x}" cy="${y - size}" rx="${(size * 0.45).toFixed(1)}" ry="${size.toFixed(1)}" transform="rotate(${angle.toFixed(0)} ${x} ${y})"/>`
  })
  return `<path d="M${x} 256V${y}" stroke="#25423a" stroke-width="3"/><g fill="hsl(${hue} 78% ${45 + Math.round(next() * 25)}%)">${turned.join('')}</g><circle cx="${x}" cy="${y}" r="${(size * 0.4).toFixed(1)}" fill="#1b1f24"/>`
}

/** Returns a picture of a mechanical garden: the same one for the same seed. */
export function garden(seed: number): string {
  const next = numbers(seed * 7919 + 13)
  const hue = HUES[Math.floor(next() * HUES.length)] ?? 0
  const sun = `<circle cx="${Math.round(50 + next() * 156)}" cy="${Math.round(50 + next() * 50)}" r="${Math.round(18 + next() * 22)}" fill="hsl(${(hue + 40) % 360} 90% 76%)"/>`
  const flowers = Array.from({ length: 5 + Math.floor(next() * 4) }, () => flower(next, (hue + 150) % 360))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256" width="256" height="256"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="hsl(${hue} 58% 30%)"/><stop offset="1" stop-color="hsl(${(hue + 30) % 360} 70% 72%)"/></linearGradient></defs><rect width="256" height="256" fill="url(#s)"/>${sun}${flowers.join('')}<rect y="232" width="256" height="24" fill="#16222f"/></svg>`
}
