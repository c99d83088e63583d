/**
 * Catches an address that cannot be one of its chain type. Checksums are the server's to verify; this only
 * spares a round trip. Unknown chain types are left to the server.
 */
export function addressFault(chainType: string, address: string): boolean {
  if (address === '') return true
  if (/ERC20/i.test(chainType)) return !/^0x[0-9a-fA-F]{40}$/.test(address)
  if (/TRC20/i.test(chainType)) return !/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)
  return false
}

/** Whether its characters carry a checksum: on EVM chains mixed case does, on Tron the last four bytes always. */
export function hasChecksum(chainType: string, address: string): boolean {
  if (/ERC20/i.test(chainType)) return /[a-f]/.test(address.slice(2)) && /[A-F]/.test(address.slice(2))
  return /TRC20/i.test(chainType)
}

/** How an address of the chain type begins, as a help in an empty field. */
export function addressStart(chainType: string): string {
  if (/ERC20/i.test(chainType)) return '0x…'
  return /TRC20/i.test(chainType) ? 'T…' : ''
}
