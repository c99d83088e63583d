import { api, read } from '@/api/client'
import type { Sealed } from '@/api/types'
import { encrypt } from '@/lib/encrypt'

/** Encrypts a password for the server, bound to a nonce that prevents replay. */
export async function seal(secret: string): Promise<Sealed> {
  const key = await read(api.GET('/user/secretKey'))
  return {
    keyId: key.keyId,
    cipher: await encrypt(JSON.stringify({ secret, nonce: key.nonce }), key.publicKey),
  }
}
