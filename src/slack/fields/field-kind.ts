import type { ViewStateValue } from '@slack/bolt';
import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Right, Visibility } from '../../operations/context.ts';

/** What an input of a form holds: the texts that the core resolves, and for a picker the options that stand for them. */
export interface InputState {
  texts: readonly string[];
  options?: readonly PlainTextOption[];
}

/** Everything Slack's forms know about a kind of field `F` whose value is a `V`. */
export interface SlackFieldKind<F, V> {
  /** The input element without its action id; undefined when a person with these rights can choose nothing in it. */
  element(field: F, state: InputState | undefined, rights: ReadonlySet<Right>): InputBlock['element'] | undefined;
  /** What a submitted input holds; undefined when it is empty. */
  read(input: ViewStateValue): InputState | undefined;
  /** Likewise, of a field with several inputs, by what follows its name in their block IDs. */
  readParts?(inputs: ReadonlyMap<string, ViewStateValue>): InputState | undefined;
  /** A value as the input holds it for a person who sees this. */
  fill(value: V, field: F, visibility: Visibility): InputState;
  /** A value as options of a picker whose options come from the bot, likewise. */
  offer(value: V, visibility: Visibility): PlainTextOption[];
  /** What the input holds in a form that opens in a channel. */
  fillFromPlace(channelId: string): InputState | undefined;
}

/** For inputs that Slack or the person fills without the bot. */
export const offersNothing = { offer: () => [], fillFromPlace: () => undefined };

/** What a picker holds. The value of an option is the text that the core resolves. */
export function stateOfOptions(options: readonly PlainTextOption[] | undefined): InputState | undefined {
  return options?.length ? { texts: options.map(({ value }) => value ?? ''), options } : undefined;
}
