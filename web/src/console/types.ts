import type { components } from '@/api/schema'

type Schemas = components['schemas']

export type AppealRules = Schemas['AppealRules']
export type AuditEntry = Schemas['AuditEntry']
export type EnrollmentInfo = Schemas['EnrollmentInfo']
export type FailingLeg = Schemas['OpsFailingLeg']
export type Flag = Schemas['UserFlag']
export type Maintenance = Schemas['OpsMaintenance']
export type Officer = Schemas['OpsOfficer']
export type OwnOfficer = Schemas['OwnOfficer']
export type Pair = Schemas['OpsPair']
export type Payouts = Schemas['OpsPayouts']
export type PayoutStop = Schemas['OpsPayoutStop']
export type Role = Schemas['OfficerRole']
export type User = Schemas['OpsUser']
export type Waiting = Schemas['OpsWaiting']
export type UserDetails = Schemas['OpsUserDetails']
