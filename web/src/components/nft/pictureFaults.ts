import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MetadataFault } from '@/api/nfts'

/** Why an NFT has no picture. */
export const PICTURE_FAULTS: Record<MetadataFault, MessageDescriptor> = {
  PENDING: msg`The picture is still being fetched.`,
  MISSING: msg`The metadata names no picture.`,
  INVALID_URI: msg`Its address is invalid.`,
  UNSUPPORTED_SCHEME: msg`This kind of address isn’t supported.`,
  NUMERIC_ADDRESS: msg`Its address is a number instead of a name.`,
  PRIVATE_ADDRESS: msg`Its address isn’t public.`,
  UNREACHABLE: msg`Its address doesn’t respond.`,
  TOO_MANY_REDIRECTS: msg`Its address leads from one address to another too often.`,
  TOO_SLOW: msg`Its address took too long to respond.`,
  TOO_LARGE: msg`The file is too large.`,
  INVALID_METADATA: msg`The metadata can’t be read.`,
  HTML: msg`Its address leads to a web page.`,
  SVG: msg`It’s an SVG file, which can contain code.`,
  TOO_MANY_FRAMES: msg`The animation is too long.`,
  NOT_A_PICTURE: msg`The file isn’t a picture.`,
  DAMAGED_PICTURE: msg`The picture is damaged.`,
}

/** The picture exists, but this browser could not load it. */
export const NOT_LOADED = msg`It couldn’t be loaded.`
