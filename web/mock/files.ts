import type { UploadedFile } from '../src/api/types.ts'
import { type Handlers, nextNumber } from './operation.ts'

const RECEIPT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320" width="240" height="320">
<rect width="240" height="320" fill="#fff"/><rect width="240" height="56" fill="#1d4ed8"/>
<text x="16" y="36" font-family="sans-serif" font-size="20" fill="#fff">First Harbor Bank</text>
<text x="16" y="110" font-family="sans-serif" font-size="28" fill="#111">48.35</text>
<text x="16" y="150" font-family="sans-serif" font-size="15" fill="#555">Sent to M. Gonzalez</text>
<text x="16" y="176" font-family="sans-serif" font-size="15" fill="#555">Ref. TX 48.35 / 0091</text>
<rect x="16" y="280" width="208" height="1" fill="#ddd"/></svg>`

const CODE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="270" height="270" shape-rendering="crispEdges">
<rect width="9" height="9" fill="#fff"/><path d="M1 1h2v2h-2zM6 1h2v2h-2zM1 6h2v2h-2zM4 1h1v1h-1zM4 3h1v2h-1zM6 4h1v1h-1zM4 6h2v1h-2zM7 6h1v1h-1zM6 7h1v1h-1zM1 4h2v1h-2z" fill="#000"/></svg>`

/** Returns a picture with this content. */
export function picture(id: string, svg: string, width: number, height: number): UploadedFile {
  return {
    id,
    kind: 'IMAGE',
    mediaType: 'image/png',
    size: svg.length,
    width,
    height,
    duration: null,
    url: `data:image/svg+xml,${encodeURIComponent(svg)}`,
    usedBefore: false,
  }
}

/** Returns a picture of a payment. */
export function receipt(id: string): UploadedFile {
  return picture(id, RECEIPT, 240, 320)
}

/** Returns a picture of a QR code. */
export function qrCode(id: string): UploadedFile {
  return picture(id, CODE, 270, 270)
}

/** Returns a video. */
export function video(id: string): UploadedFile {
  return {
    ...receipt(id),
    kind: 'VIDEO',
    mediaType: 'video/mp4',
    width: null,
    height: null,
    duration: 4_000,
  }
}

const uploaded = new Map<string, UploadedFile>()

function keep(file: UploadedFile): UploadedFile {
  uploaded.set(file.id, file)
  return file
}

/** Returns a file that was uploaded. */
export function uploadedFile(id: string): UploadedFile | undefined {
  return uploaded.get(id)
}

export const handlers: Handlers = {
  'POST /file/uploadImage': () => keep(receipt(`f-${nextNumber()}`)),
  'POST /file/uploadFile': () => keep(video(`f-${nextNumber()}`)),
}
