import { tell, type World } from './world.ts'

/** The chain itself, asked without the product in between. Amounts in base units. */
export class Chain {
  private readonly node: string
  private readonly contract: string

  constructor(world: World) {
    this.node = world.node
    this.contract = world.usdt
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { result, error } = (await tell(this.node, body)) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** How much of the chain's own coin an address holds. */
  async mec(address: string): Promise<bigint> {
    return BigInt(await this.call<string>('eth_getBalance', address, 'latest'))
  }

  /** How much USDT an address holds. */
  async usdt(address: string): Promise<bigint> {
    const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
    return BigInt(await this.call<string>('eth_call', { to: this.contract, data }, 'latest'))
  }

  /** The logs of a transaction: which contracts spoke in it. */
  async transaction(hash: string): Promise<{ status: string; logs: { address: string }[] }> {
    return this.call('eth_getTransactionReceipt', hash)
  }
}

/** `12.5` MEC or USDT in base units. */
export function units(amount: string, decimals: 18 | 6): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
