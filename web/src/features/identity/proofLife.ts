/** For how long the server accepts an emailed code or the ticket of an approval. This browser keeps what belongs to them no longer. */
export const PROOF_LIFE_MS = 30 * 60_000
