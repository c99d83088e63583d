import type { UploadedFile } from '../../src/api/types.ts'
import { picture } from '../files.ts'

const STATEMENT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 480" width="720" height="960">
<rect width="360" height="480" fill="#f8fafc"/><rect width="360" height="70" fill="#0f766e"/>
<text x="20" y="44" font-family="sans-serif" font-size="22" fill="#fff">Account statement</text>
${[0, 1, 2, 3, 4, 5]
  .map(
    (
      row,
    ) => `<text x="20" y="${120 + row * 54}" font-family="sans-serif" font-size="15" fill="#334155">Nov ${22 - row}</text>
<text x="340" y="${120 + row * 54}" text-anchor="end" font-family="sans-serif" font-size="15" fill="#0f172a">${['– 12.00', '– 4.10', '+ 310.00', '– 58.20', '– 9.99', '+ 27.50'][row]}</text>
<rect x="20" y="${136 + row * 54}" width="320" height="1" fill="#e2e8f0"/>`,
  )
  .join('')}</svg>`

export const CHATSHOT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" width="480" height="640">
<rect width="240" height="320" fill="#111827"/><rect x="16" y="30" width="150" height="44" rx="14" fill="#374151"/>
<text x="28" y="57" font-family="sans-serif" font-size="13" fill="#fff">Sent from my wife</text>
<rect x="74" y="92" width="150" height="44" rx="14" fill="#047857"/>
<text x="86" y="119" font-family="sans-serif" font-size="13" fill="#fff">Whose account?</text></svg>`

export function statement(id: string): UploadedFile {
  return picture(id, STATEMENT, 720, 960)
}
