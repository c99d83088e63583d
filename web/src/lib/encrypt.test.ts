import { expect, test } from 'vitest'
import { encrypt } from './encrypt'

const base64 = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
const bytes = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))

test('only the holder of the private key can decrypt the secret', async () => {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  )
  const spki = base64(await crypto.subtle.exportKey('spki', pair.publicKey))
  const secret = JSON.stringify({ password: 'Läng & sicher 1', nonce: 'n1' })
  const first = await encrypt(secret, spki)
  const second = await encrypt(secret, `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`)
  expect(first).not.toBe(second)
  for (const sent of [first, second]) {
    const plain = await crypto.subtle.decrypt({ name: 'RSA-OAEP' }, pair.privateKey, bytes(sent))
    expect(new TextDecoder().decode(plain)).toBe(secret)
  }
})
