/** The officer of the session, in the tests about appeals. */
export const OLGA = { id: 'officer-2', name: 'Olga', role: 'APPEAL_OFFICER' as const }
/** The officers of the examples, as the server sorts them. */
export const OFFICERS = [
  { id: 'officer-6', name: 'Mina', role: 'CUSTOMER_SERVICE' as const },
  OLGA,
  { id: 'officer-5', name: 'Otto', role: 'APPEAL_OFFICER' as const },
]
