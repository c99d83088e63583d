import { seal } from './seal'
import { type Command, type CommandOptions, useCommandWith } from './useCommandWith'

export type { Command, CommandHeaders, CommandOptions } from './useCommandWith'

/** Sends a command of the user. While its outcome is unknown, sending the same content again cannot execute it twice. */
export function useCommand<I, O>(options: CommandOptions<I, O>): Command<I> {
  return useCommandWith(seal, options)
}
