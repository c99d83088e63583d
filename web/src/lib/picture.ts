/** The maximum size of an uploaded picture, in bytes. */
export const MOST_IMAGE_BYTES = 1024 * 1024
/** The maximum size of an uploaded video, in bytes. */
export const MOST_VIDEO_BYTES = 50 * 1024 * 1024

/** The longest side and the area to which pictures are shrunk. Text on a photographed receipt stays readable. */
const LONGEST_SIDE = 2560
const MOST_PIXELS = 5_000_000
/** The formats that the server accepts as they are. */
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/bmp'])
/** The qualities to try, from 0 to 1, before the picture is made smaller. */
const QUALITIES = [0.86, 0.74, 0.62]
const SMALLER = 0.75
const SMALLEST = 200

export interface Size {
  width: number
  height: number
}

/** The file is not a picture that this browser can read. */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture'
}

/** Returns the size to which a picture is shrunk, with the same proportions. */
export function fittedSize({ width, height }: Size): Size {
  const side = LONGEST_SIDE / Math.max(width, height, 1)
  const area = Math.sqrt(MOST_PIXELS / Math.max(width * height, 1))
  const scale = Math.min(1, side, area)
  return {
    width: Math.max(1, Math.floor(width * scale)),
    height: Math.max(1, Math.floor(height * scale)),
  }
}

async function encoded(picture: ImageBitmap, { width, height }: Size, quality: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new UnreadablePicture()
  // JPEG has no transparency, which would become black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(picture, 0, 0, width, height)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}

/** Returns a picture that the server accepts. Large pictures and other formats are encoded anew as JPEG. */
export async function acceptablePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnreadablePicture()
  })
  try {
    let size = fittedSize(picture)
    const fits = size.width === picture.width && size.height === picture.height
    if (fits && ACCEPTED.has(file.type) && file.size <= MOST_IMAGE_BYTES) return file
    while (Math.max(size.width, size.height) >= SMALLEST) {
      for (const quality of QUALITIES) {
        const blob = await encoded(picture, size, quality)
        if (blob.size <= MOST_IMAGE_BYTES) return blob
      }
      size = { width: Math.floor(size.width * SMALLER), height: Math.floor(size.height * SMALLER) }
    }
    throw new UnreadablePicture()
  } finally {
    picture.close()
  }
}
