import { useLingui } from '@lingui/react/macro'
import type { Flag, Role } from './types'

/** Returns the names of roles, restrictions, settings and recorded actions. */
export function useLabels() {
  const { t } = useLingui()
  const roles: Record<Role, string> = {
    CUSTOMER_SERVICE: t`Customer service`,
    APPEAL_OFFICER: t`Appeal officer`,
    ADMINISTRATOR: t`Administrator`,
  }
  const flags: Record<Flag, string> = {
    LOGIN: t`Login blocked`,
    WITHDRAWAL: t`Withdrawals blocked`,
    BUY: t`Buying blocked`,
    SELL: t`Selling blocked`,
  }
  const settings: Record<string, string> = {
    fee_rate: t`Fee rate`,
    fee_minimum: t`Minimum fee`,
    order_minimum: t`Order minimum`,
    order_maximum: t`Order maximum`,
    price_band: t`Price band`,
    price_decimals: t`Price decimals`,
    acceptance_window: t`Window to accept`,
    advert_deposit_window: t`Window to deposit for an ad`,
    order_deposit_window: t`Window to deposit for an order`,
    payment_window: t`Window to pay`,
    confirmation_window: t`Window to confirm`,
    grace_period: t`Grace period`,
    trading: t`Trading`,
  }
  const actions: Record<string, string> = {
    approve_nickname: t`Approved a nickname`,
    approve_officer: t`Approved an officer`,
    certify: t`Certified a trader`,
    change_officer: t`Changed an officer`,
    create_officer: t`Created an officer`,
    decertify: t`Revoked a certification`,
    decide_buyer: t`Decided for the buyer`,
    decide_seller: t`Decided for the seller`,
    end_maintenance: t`Ended maintenance`,
    end_sessions: t`Ended sessions`,
    enroll: t`Set up their account`,
    hold: t`Changed a hold`,
    join_appeal: t`Joined a case`,
    leave_appeal: t`Left a case`,
    plan_maintenance: t`Planned maintenance`,
    propose_buyer: t`Proposed a verdict for the buyer`,
    propose_reject: t`Proposed the rejection of an appeal`,
    propose_seller: t`Proposed a verdict for the seller`,
    reject_appeal: t`Rejected an appeal`,
    reject_nickname: t`Rejected a nickname`,
    reopen_appeal: t`Revoked a verdict`,
    reset_officer: t`Reset an officer`,
    resume: t`Resumed payouts`,
    review_nicknames: t`Reviewed several nicknames`,
    search_appeals: t`Searched cases`,
    search_users: t`Searched users`,
    send_setup_link: t`Sent a setup link`,
    set_badges: t`Changed badges`,
    set_flags: t`Changed restrictions`,
    set_pair: t`Changed a pair`,
    set_reference: t`Set a reference price`,
    sign_in: t`Signed in`,
    sign_in_refused: t`Sign-in refused`,
    sign_out: t`Signed out`,
    view_appeal: t`Viewed a case`,
    view_appeal_summary: t`Viewed the summary of a case`,
    view_appeal_talk: t`Viewed the chat of a case`,
    view_appeals: t`Viewed the appeals`,
    view_audit_log: t`Viewed the audit log`,
    view_file: t`Viewed a file`,
    view_maintenance: t`Viewed maintenance`,
    view_nicknames: t`Viewed nicknames`,
    view_next_appeal: t`Looked for the next case`,
    view_officers: t`Viewed officers`,
    view_pairs: t`Viewed pairs`,
    view_payouts: t`Viewed payouts`,
    view_user: t`Viewed a user`,
    view_waiting: t`Saw how much waits`,
    void_payout: t`Voided a payout`,
    write_note: t`Wrote a private note`,
    write_to_parties: t`Wrote an official message`,
  }
  const purposes: Record<string, string> = {
    release: t`Release of an order`,
    refund: t`Refund of an order`,
    advert_return: t`Return of an ad’s coins`,
    wrong_deposit: t`Return of a wrong deposit`,
    withdrawal: t({ message: 'Withdrawal', context: 'payout' }),
    treasury: t`Fees to the treasury`,
  }
  const subjects: Record<string, string> = {
    user: t`User`,
    asset: t`Coin`,
    order: t({ message: 'Order', context: 'subject of an entry' }),
    appeal: t`Appeal`,
    pair: t`Pair`,
    officer: t`Officer`,
    platform: t`Platform`,
  }
  return {
    role: (role: Role) => roles[role],
    flag: (flag: Flag) => flags[flag],
    setting: (name: string) => settings[name] ?? name,
    /** An action of a newer release has no text yet. */
    action: (name: string) => actions[name] ?? name,
    subject: (kind: string) => subjects[kind] ?? kind,
    purpose: (name: string) => purposes[name] ?? name,
    actions,
    subjects,
  }
}
