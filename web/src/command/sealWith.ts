import type { Sealed } from '@/api/types'
import { encrypt } from '@/lib/encrypt'

/** The published key that encrypts a password, and its nonce. */
interface SecretKey {
  keyId: string
  publicKey: string
  nonce: string
}

/** Encrypts a password for the server, bound to a nonce that prevents replay. */
export async function sealWith(key: SecretKey, secret: string): Promise<Sealed> {
  return {
    keyId: key.keyId,
    cipher: await encrypt(JSON.stringify({ secret, nonce: key.nonce }), key.publicKey),
  }
}
