function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replace(/-----[^-]+-----/g, '').replace(/\s+/g, ''))
  return Uint8Array.from(binary, (c) => c.charCodeAt(0))
}

function toBase64(bytes: ArrayBuffer): string {
  let binary = ''
  for (const byte of new Uint8Array(bytes)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Thrown if the page is neither on https nor on localhost, because browsers then provide no cryptography. */
export class InsecureContextError extends Error {
  override readonly name = 'InsecureContextError'
}

/** Returns the browser's cryptography, or throws `InsecureContextError`. */
export function cryptography(): SubtleCrypto {
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) throw new InsecureContextError()
  return subtle
}

/**
 * Encrypts `secret` with RSA-OAEP and SHA-256. Returns base64.
 * @param publicKey SubjectPublicKeyInfo, PEM or bare base64
 */
export async function encrypt(secret: string, publicKey: string): Promise<string> {
  const subtle = cryptography()
  const key = await subtle.importKey(
    'spki',
    fromBase64(publicKey),
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['encrypt'],
  )
  return toBase64(await subtle.encrypt({ name: 'RSA-OAEP' }, key, new TextEncoder().encode(secret)))
}
