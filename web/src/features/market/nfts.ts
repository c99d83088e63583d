/** What the hall shows of NFTs: one file, which is fetched when the first NFTs are shown. */
export { NftGrid } from '@/components/nft/NftGrid'
export { NftHall } from './nftHall/NftHall'
