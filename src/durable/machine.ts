import type { NewQueueEntry, QueueEntry } from '../domain/queues.ts';

/** Where the mail of a machine waits, and under which its state is kept: `campaign/T1/42` is of the kind `campaign`. */
export interface Mailbox {
  name: string;
  kind: string;
  teamId: string;
  id: string;
}

/** What a step is decided on. */
export interface View<State, First = undefined> {
  mailbox: Mailbox;
  /** As it was kept last; undefined before that. */
  state: State | undefined;
  /** The first of what waits, in the order in which it came. */
  mail: readonly QueueEntry[];
  /** What the machine asks for first. */
  first: First;
  /** Milliseconds since the epoch. It goes on while a step asks: what is read here is the time that it is. */
  readonly now: number;
}

/** The next state, kept in one step with what is taken out of the mailbox and put into others. */
export interface Keep<State, Note = never> {
  kind: 'keep';
  state: State;
  /** Positions of mail that is done with. */
  take?: readonly number[];
  put?: readonly NewQueueEntry[];
  /** When to run again (milliseconds since the epoch); at once unless given. */
  at?: number | undefined;
  /** What is said or counted once the state is kept. A crash in between loses it. */
  note?: Note;
}

/** What a run does next. */
export type Step<State, Deed = never, Note = never> =
  /** `until`: milliseconds since the epoch; undefined: until something comes. `put`: mail that may come more than once. */
  | { kind: 'rest'; until: number | undefined; put?: readonly NewQueueEntry[] }
  | Keep<State, Note>
  /** Keep a state that says that the deed is under way; then do it. */
  | { kind: 'do'; deed: Deed; keep: Keep<State, Note> }
  /** Find out whether the deed that is under way has happened. */
  | { kind: 'look'; deed: Deed };

/** What a machine does that must happen once. It is kept before it is done, and looked for where its answer was lost. */
interface Deeds<State, Deed, Answer, Note, First> {
  /**
   * Does it, less than two seconds after its step: it is not begun later, and then looked for. What fails in a way that a step is
   * decided on is an answer; what is thrown has the run repeated.
   */
  do(deed: Deed, view: View<State, First>): Promise<Answer>;
  /** Undefined: it has not happened, as far as anybody can tell now. */
  look(deed: Deed, view: View<State, First>): Promise<Answer | undefined>;
  /**
   * Decides on the answer of a deed; on undefined after a look that found nothing, at the time at which that look began. In the
   * view is what was kept: the state, and no mail that was taken out with it.
   */
  settle(deed: Deed, answer: Answer | undefined, view: View<State, First> & { state: State }): Keep<State, Note>;
}

/**
 * A state machine that lasts. A step decides on state, mail and time; where it has to know more, it asks, or does what may be done
 * twice, and waits for it. The runtime does the rest: it keeps the states, runs a mailbox on one instance at a time, does the deeds
 * of steps, and wakes the mailboxes that get mail.
 */
export interface Machine<State, Deed = never, Answer = never, Note = never, First = undefined> {
  /** Read for a step at most. */
  mailAtMost: number;
  /** Whether it runs only while the platform answers. */
  needsPlatform?: true;
  /** How long the state of a mailbox at rest is kept after its last change; for good unless given. */
  keptAtRestMs?: number;
  /** Until when nothing is read or done (milliseconds since the epoch); undefined: now is the time. */
  restsUntil?(state: State, now: number): number | undefined;
  /** Asked for in each run, before the mail is read. */
  first?(view: View<State, unknown>): Promise<First>;
  /** Whose mail is left waiting. */
  passesOver?(view: View<State, First>): readonly string[];
  step(view: View<State, First>): Step<State, Deed, Note> | Promise<Step<State, Deed, Note>>;
  deeds?: Deeds<State, Deed, Answer, Note, First>;
  /** Whether there is something to do even where no mail waits. */
  isBusy(state: State): boolean;
  /** Whether what was due could not be done, and is tried again later. */
  isRetrying?(state: State, now: number): boolean;
  /** Says or counts what was kept. */
  note?(note: Note, view: View<State, First>): Promise<void> | void;
}

/** A machine of any types, as the runtime has it. */
// oxlint-disable-next-line typescript/no-explicit-any -- each machine has types of its own
export type AnyMachine = Machine<any, any, any, any, any>;

/** A pause that a state keeps. Times are milliseconds since the epoch. */
export interface Rest {
  /** When it began; undefined before the first pause. */
  restsFrom?: number | undefined;
  notBefore: number;
}

/** A pause from now on. */
export function restFor(pauseMs: number, now: number): Required<Rest> {
  return { restsFrom: now, notBefore: now + pauseMs };
}

/** Keeps a state, and runs again when its pause is over. */
export function resting<State extends Rest>(state: State): Keep<State> {
  return { kind: 'keep', state, at: state.notBefore };
}

/** @returns until when it lasts; undefined where it is over, also where the clock was set back to before it began */
export function restsUntil({ restsFrom = 0, notBefore }: Rest, now: number): number | undefined {
  return restsFrom <= now && now < notBefore ? notBefore : undefined;
}
