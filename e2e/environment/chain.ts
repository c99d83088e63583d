import { type Environment, tell } from './environment.ts'

/** Queries the chain directly. Amounts are in base units. */
export class Chain {
  private readonly environment: Environment
  private readonly node: string
  private readonly contract: string

  constructor(environment: Environment) {
    this.environment = environment
    this.node = environment.node
    this.contract = environment.usdt
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { result, error } = (await tell(this.node, body)) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Returns the native balance of an address, now or after a block. */
  async mec(address: string, block = 'latest'): Promise<bigint> {
    return BigInt(await this.call<string>('eth_getBalance', address, block))
  }

  /** Returns the USDT balance of an address, now or after a block. */
  async usdt(address: string, block = 'latest'): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(await this.call<string>('eth_call', { to: this.contract, data }, block))
  }

  /** Returns the owner of an NFT of the album. */
  async owner(number: number): Promise<string> {
    const data = `0x6352211e${number.toString(16).padStart(64, '0')}`
    const word = await this.call<string>('eth_call', { to: this.environment.album, data }, 'latest')
    return `0x${word.slice(-40)}`
  }

  /** Returns what the sender of a transaction has paid for its gas. */
  async gas(hash: string): Promise<bigint> {
    const { gasUsed, effectiveGasPrice } = await this.call<{ gasUsed: string; effectiveGasPrice: string }>(
      'eth_getTransactionReceipt',
      hash,
    )
    return BigInt(gasUsed) * BigInt(effectiveGasPrice)
  }

  /** Replaces the newest blocks with empty ones, down to the first block that contains one of the transactions. */
  async lose(...hashes: string[]): Promise<void> {
    const numbers = hashes.map(async (hash) => {
      const { blockNumber } = await this.call<{ blockNumber: string }>('eth_getTransactionReceipt', hash)
      return Number(blockNumber)
    })
    const head = Number(await this.call<string>('eth_blockNumber'))
    await this.reorganize(head - Math.min(...(await Promise.all(numbers))) + 1)
  }

  /** Replaces the newest blocks with empty ones. */
  async reorganize(depth: number): Promise<void> {
    await this.call('anvil_reorg', depth, [])
    // Anvil sets its clock back to the last block that stays. Without this, later payments would seem older than their orders.
    await this.environment.letPass(0)
  }

  /** Returns the change of a balance in the block of a transaction. Each transaction has its own block. */
  async brought(hash: string, coin: 'mec' | 'usdt', address: string): Promise<bigint> {
    const { blockNumber, status } = await this.call<{ blockNumber: string; status: string }>(
      'eth_getTransactionReceipt',
      hash,
    )
    if (status !== '0x1') throw new Error(`${hash} was undone`)
    const before = `0x${(BigInt(blockNumber) - 1n).toString(16)}`
    return (await this[coin](address, blockNumber)) - (await this[coin](address, before))
  }
}

/** Converts an amount such as `12.5` to base units. */
export function units(amount: string, decimals: 18 | 6): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
