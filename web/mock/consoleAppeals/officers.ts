/** The officer of the session, in the tests about appeals. */
export const OLGA = { id: 'officer-2', name: 'Olga' }
export const BEN = { id: 'officer-5', name: 'Ben' }
export const MINA = { id: 'officer-6', name: 'Mina' }
