import type { ExpectedPaths } from './expected'
import type { paths } from './schema'

/**
 * The contract with the server, checked by the compiler alone: whatever `expected.ts` says of a call must hold
 * for the generated document. Texts that we narrow to names are texts there; what may be null may be left out.
 */
type Widen<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? Widen<Item>[]
        : T extends object
          ? { [K in keyof T as null extends T[K] ? never : K]: Widen<T[K]> } & {
              [K in keyof T as null extends T[K] ? K : never]?: Widen<T[K]>
            }
          : T

type Answer<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } }
}
  ? Data
  : null
type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Content } } }
  ? Content
  : null

type Method = 'get' | 'post'

/** `true`, or what does not fit: the answer, or what we send. */
type Fits<Ours, Theirs> =
  Answer<Theirs> extends Widen<Answer<Ours>>
    ? Body<Ours> extends Body<Theirs>
      ? true
      : { sends: Body<Ours>; takes: Body<Theirs> }
    : { reads: Widen<Answer<Ours>>; answers: Answer<Theirs> }

type Shared = keyof ExpectedPaths & keyof paths

type Mismatches = {
  [P in Shared as {
    [M in Method & keyof ExpectedPaths[P] & keyof paths[P]]: Fits<
      ExpectedPaths[P][M],
      paths[P][M]
    > extends true
      ? never
      : P
  }[Method & keyof ExpectedPaths[P] & keyof paths[P]]]: {
    [M in Method & keyof ExpectedPaths[P] & keyof paths[P]]: Fits<ExpectedPaths[P][M], paths[P][M]>
  }
}

/** Empty, or the compiler names the calls that disagree. */
export const mismatches: Mismatches = {}
