import { api, read } from '@/api/client'
import type { Sealed } from '@/api/types'
import { sealWith } from './sealWith'

/** Encrypts a password for the server, bound to a nonce that prevents replay. */
export async function seal(secret: string): Promise<Sealed> {
  return sealWith(await read(api.GET('/user/secretKey')), secret)
}
