import codes from '../../docs/generated/codes.json' with { type: 'json' }
import type { paths } from '../src/api/schema'

type Operations = {
  [Path in keyof paths as paths[Path] extends { get: object } ? `GET ${Path}` : never]: At<Path, 'get'>
} & {
  [Path in keyof paths as paths[Path] extends { post: object } ? `POST ${Path}` : never]: At<Path, 'post'>
}
type At<Path extends keyof paths, Method extends string> =
  paths[Path] extends Record<Method, infer Operation> ? Operation : never

type Json<Carrier> = Carrier extends { content: { 'application/json': infer Content } } ? Content : never
/** The parameters as strings, because URLs contain only strings. */
type Strings<Parameters> = { [Name in keyof Parameters]: string }
type Parameters<Operation, Place extends string> = Operation extends {
  parameters: { [In in Place]?: infer Named }
}
  ? Strings<NonNullable<Named>>
  : never
type Body<Operation> = Operation extends { requestBody: infer Carrier } ? Json<Carrier> : never
type Responses<Operation> = Operation extends { responses: infer Listed } ? Listed : never
type Data<Operation> =
  Responses<Operation> extends { 200: infer Success }
    ? Json<Success> extends { data: infer Content }
      ? Content
      : never
    : never
type Code<Refused> = Refused extends { code: infer Codes } ? Codes : never
/** The codes with which an operation refuses. */
type RefusalCode<Operation> = Code<Json<Responses<Operation>[Exclude<keyof Responses<Operation>, 200>]>>

export interface Call<Operation> {
  path: Parameters<Operation, 'path'>
  query: Partial<Parameters<Operation, 'query'>>
  body: Body<Operation>
  refuse: (code: RefusalCode<Operation>, facts?: Facts) => never
}

/** The mock's implementation of operations of the API document. */
export type Handlers = {
  [Name in keyof Operations]?: (
    call: Call<Operations[Name]>,
  ) => Data<Operations[Name]> | Promise<Data<Operations[Name]>>
}

type Facts = Record<string, string | readonly string[]>

/** A code of the server's code table, thrown by a handler. */
export class Refusal extends Error {
  readonly code: string
  readonly facts: Facts | null

  constructor(code: string, facts: Facts | null = null) {
    super(code)
    this.code = code
    this.facts = facts
  }
}

const LINES = new Map(codes.codes.map((line) => [line.code, line]))

/** Builds an envelope with the status and message from the server's code table. */
export function envelope(code: string, language: string, data: unknown): Response {
  const line = LINES.get(code)
  if (line === undefined) throw new Error(`no such code: ${code}`)
  const messages: Record<string, string> = line.messages
  const message = (messages[language] ?? line.messages.en_US).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(Object(data)[name]),
  )
  return Response.json({ code, message, data }, { status: line.status })
}

export function page<T>(records: T[], query: { page?: string; size?: string }) {
  const number = Number(query.page ?? '1')
  const size = Number(query.size ?? '20')
  return {
    records: records.slice((number - 1) * size, number * size),
    total: records.length,
    page: number,
    size,
  }
}

let made = 0
/** Returns a number for the id of a new record. */
export function nextNumber(): number {
  made += 1
  return made
}
