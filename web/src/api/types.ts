/**
 * Short names for the generated types of `schema.d.ts`. Amounts and prices are decimal strings, times ISO 8601 UTC, ids
 * opaque strings.
 */
import type { components, paths } from './schema'

type Schemas = components['schemas']

export type Advert = Schemas['Advert']
/** The groups of a user's own ads. */
export type AdvertGroup = NonNullable<
  NonNullable<paths['/c2c/advert/pageByUser']['get']['parameters']['query']>['group']
>
export type AdvertKind = Schemas['AdvertKind']
export type AdvertSide = Schemas['AdvertSide']
export type AdvertState = Schemas['AdvertState']
export type Appeal = Schemas['Appeal']
export type AppealCase = Schemas['AppealCase']
export type EvidenceRequest = Schemas['EvidenceRequest']
export type AppealReason = Schemas['AppealReason']
export type Balance = Schemas['Balance']
export type BalanceLine = Schemas['BalanceLine']
export type CancelReason = Schemas['CancelReason']
export type Coin = Schemas['Coin']
export type CoinConfig = Schemas['CoinConfig']
export type Country = Schemas['Country']
export type Conversation = Schemas['Conversation']
export type ConversationPage = Schemas['ConversationPage']
export type Certification = Schemas['CertificationDto']
export type CertificationCheck = Schemas['CertificationCheck']
export type CreateAdvert = Schemas['CreateAdvert']
export type Deposit = Schemas['Deposit']
export type UploadedFile = Schemas['File']
export type FundRecord = Schemas['FundRecord']
export type FundType = Schemas['FundType']
export type MatchBody = Schemas['MatchBody']
export type MatchedAdvert = Schemas['MatchedAdvert']
export type Matches = Schemas['Matches']
export type Misfit = Schemas['Misfit']
export type HallAdvert = Schemas['HallAdvert']
export type HallQuery = paths['/c2c/advert/page']['get']['parameters']['query']
export type MarketOverview = Schemas['MarketOverview']
export type MarketStats = Schemas['MarketStats']
export type MessageWarning = Schemas['MessageWarning']
export type BindingObstacle = Schemas['BindingObstacle']
export type MissingRequirement = Schemas['MissingRequirement']
export type GivenFeedback = Schemas['GivenFeedback']
export type OrderFeedback = Schemas['OrderFeedback']
export type TraderFeedback = Schemas['TraderFeedback']
export type TraderPage = Schemas['TraderPage']
export type PassBinding = Schemas['PassBinding']
export type MethodField = Schemas['MethodField']
export type MethodForm = Schemas['MethodForm']
export type AvailableAction = Schemas['AvailableAction']
export type Movement = Schemas['Movement']
export type Order = Schemas['Order']
export type OrderableAdvert = Schemas['OrderableAdvert']
export type OrderPreview = Schemas['OrderPreview']
export type OrderState = Schemas['OrderState']
export type OrderStep = Schemas['StepName']
export type Pair = Schemas['Pair']
export type PassChallenge = Schemas['PassChallenge']
export type PassResult = Schemas['PassResult']
export type PricePoint = Schemas['PricePoint']
export type PriceRange = Schemas['ThreadRange']
export type PriceCheck = Schemas['PriceCheck']
export type PaymentMethod = Schemas['PaymentMethod']
export type ReputationCause = Schemas['ReputationCause']
export type ReputationChange = Schemas['ReputationChange']
export type SessionItem = Schemas['SessionItem']
export type Sealed = Schemas['Sealed']
export type SlideChallenge = Schemas['SlideChallenge']
export type TakerRequirement = Schemas['TakerRequirement']
export type TakerRequirements = Schemas['TakerRequirements']
export type TalkEntry = Schemas['TalkEntry']
export type TalkFile = Schemas['TalkFile']
export type TalkMarks = Schemas['TalkMarks']
export type TalkMessage = Schemas['TalkMessage']
export type TradeRequirement = Schemas['TradeRequirement']
export type Notification = Schemas['Notification']
export type NotificationCategory = Schemas['NotificationCategory']
export type NotificationPreference = Schemas['NotificationPreference']
export type Trader = Schemas['Trader']
export type UserInfo = Schemas['UserInfo']
export type ViewedAdvert = Schemas['ViewedAdvert']

/** A trader without the statistics of the last 30 days. */
export type Person = Omit<Trader, 'fast' | 'stats'>

/** The operations of the API without their headers, which the client sets itself. */
export type Calls = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithoutHeaders<paths[Path][Method]> }
}

type WithoutHeaders<Operation> = Operation extends { parameters: infer Parameters }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Parameters, 'header'> & { header?: never } }
  : Operation
