import type { components } from '@/api/schema'

type Schemas = components['schemas']

export type AllowedRuling = Schemas['DecisionOption']
export type Movement = Schemas['Movement']
export type Case = Schemas['ConsoleCase']
export type CaseEntry = Schemas['ConsoleTalkEntry']
export type CaseParty = Schemas['CaseParty']
export type Decided = Schemas['ConsoleAppealDecision']
export type EvidenceKind = Schemas['EvidenceKind']
export type EvidenceRequest = Schemas['ConsoleEvidenceRequest']
export type FundsLocation = Schemas['FundsLocation']
export type Kyc = Schemas['Kyc']
export type Party = Schemas['Role']
export type PastDecision = Schemas['AppealAct']
export type QueueRow = Schemas['ConsoleAppeal']
export type Requires = QueueRow['requires']
export type Ruling = Schemas['AppealRuling']
export type Signal = QueueRow['signals'][number]
export type Status = Schemas['AppealStatus']
export type Transaction = Schemas['CaseTransaction']

export type QueueView = 'OPEN' | 'MINE' | 'DECIDED' | 'ENDED'
export type QueueOrder = 'AGE' | 'AMOUNT' | 'RISK'
