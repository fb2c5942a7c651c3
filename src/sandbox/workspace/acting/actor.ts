import type { Given } from './given-values.ts';
import type { Outcome } from './outcome.ts';
import type { InputState, Message, Options, View } from '../model.ts';

/** Something a person sees and can act on: a message, or a view (itself or its id). */
export type Where = { channel: string; ts: string } | { view: View | string };

/** An element: by action id, or by block and action id. */
export type What = string | { block?: string; action?: string };

export type Values = Record<string, Given | Record<string, InputState>>;

export interface Submission {
  /** Under which field stands what; from the bot, or from the program itself, which checks first. */
  errors?: Record<string, string>;
  /** The bot's answer could not be used, or none came. The view stays. */
  failed?: string;
  details?: string[];
  /** What the person sees next, where another view came of it. */
  view?: View;
  outcome?: Outcome;
}

/** What a person does in the workspace. Each resolves when the bot has acknowledged, and says what came of it. */
export interface Actor {
  /** Types a slash command, by default in #quiz-results. `@handle` and `#channel` are resolved as Slack resolves them. */
  command(text: string, options?: { channel?: string }): Promise<Outcome>;
  shortcut(callbackId: string): Promise<Outcome>;
  messageShortcut(callbackId: string, channel: string, ts: string): Promise<Outcome>;
  /** Clicks a button, or chooses in a menu; a confirm dialog is confirmed. */
  click(where: Where, what: What, value?: Given): Promise<Outcome>;
  /** Types into a picker, found by block id or else by action id, whose options come from the bot. */
  options(where: Where | View, what: What, query: string): Promise<Options>;
  /** Fills inputs in without submitting; block id → value. */
  fill(view: View | string, values: Values): Promise<void>;
  submit(view: View | string, values?: Values): Promise<Submission>;
  /** Closes a view by its Cancel button or Escape, or the whole stack by its ×. */
  close(view: View | string, options?: { all?: boolean }): Promise<void>;
  openHome(): Promise<View | undefined>;
  say(channel: string, text: string, options?: { threadTs?: string }): Promise<Message>;
  /** `/invite @Invigilator` and `/remove @Invigilator`. */
  invite(channel: string): Promise<void>;
  remove(channel: string): Promise<void>;
}
