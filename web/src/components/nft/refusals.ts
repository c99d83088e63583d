import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PictureRefusal } from '@/api/nfts'

/** Why an NFT has no picture. */
export const REFUSALS: Record<PictureRefusal, MessageDescriptor> = {
  PENDING: msg`The picture is still being fetched.`,
  NOT_A_PICTURE: msg`The file isn’t a picture.`,
  SVG: msg`It’s an SVG file, which can contain code.`,
  HTML: msg`Its address leads to a web page.`,
  TOO_LARGE: msg`The file is too large.`,
  TOO_MANY_FRAMES: msg`The animation is too long.`,
  UNREACHABLE: msg`Its address doesn’t respond.`,
  PRIVATE_ADDRESS: msg`Its address isn’t public.`,
  UNSUPPORTED_SCHEME: msg`This kind of address isn’t supported.`,
  TOO_SLOW: msg`Its address took too long to respond.`,
  INVALID_METADATA: msg`The metadata can’t be read.`,
  NO_PICTURE: msg`The metadata names no picture.`,
}

/** The picture exists, but this browser could not load it. */
export const NOT_LOADED = msg`It couldn’t be loaded.`
