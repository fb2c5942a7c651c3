import fc from 'fast-check';
import type { NewQueueEntry, QueueEntry } from '../../../src/domain/queues.ts';

/** What a letter asks a machine for. Places are numbers of mailboxes. */
type Ask =
  | { kind: 'count' }
  | { kind: 'deed' }
  | { kind: 'question' }
  | { kind: 'rest'; ms: number }
  /** The step throws for so long. */
  | { kind: 'fail'; ms: number }
  | { kind: 'forward'; letters: readonly { to: number; ask: Ask }[] };

export interface MachineSpec {
  mailAtMost: number;
  /** Takes all letters at once that only count. */
  takesMany: boolean;
  /** Takes a letter out when its deed begins, not when it is over. */
  takesEarly: boolean;
  /** How long it looks for a deed before it takes it for one that has not happened. 0: it looks once, where all that happens does so at once. */
  looksForMs: number;
  asksFirst: boolean;
  triesAtMost: number;
}

/** Letters that nobody's step puts: through `Mail`, or with a state that all share. */
interface OutsideLetter {
  atMs: number;
  to: number;
  ask: Ask;
  /** It comes once more after this time. */
  againAfterMs?: number | undefined;
  isShared: boolean;
}

/** Strikes a process when the run comes to its nth await, or the nth await of a kind. */
export interface Fault {
  nth: number;
  of: 'all' | Await;
  strikes: 'crash' | { freezeMs: number };
}

/** Before and after a commit, a look or any other call, and while the answer of a deed is awaited. */
export type Await = 'commit' | 'deed' | 'look' | 'other';

export interface Scenario {
  machines: readonly MachineSpec[];
  outside: readonly OutsideLetter[];
  /** `alone`: as over SQLite, one process that remembers in memory when mailboxes run. Otherwise as over Redis. */
  processes: 'alone' | 'one' | 'two';
  faults: readonly Fault[];
  /** Calls fail before or after they had an effect, some take seconds, and answers of deeds are lost. */
  isRough: boolean;
  /** Seed of everything else. */
  noise: number;
}

export const mailboxesOfMachine = 2;
/** Longer than the time until a deed has happened that was begun: what the model says of deeds rests on this. */
const looksForMs = 38_000;

const to = fc.nat(3);
const { ask } = fc.letrec<{ ask: Ask; letters: { to: number; ask: Ask }[] }>((tie) => ({
  ask: fc.oneof(
    { depthSize: 'xsmall', maxDepth: 2 },
    fc.constant<Ask>({ kind: 'count' }),
    { arbitrary: fc.constant<Ask>({ kind: 'deed' }), weight: 4 },
    fc.constant<Ask>({ kind: 'question' }),
    fc.record({ kind: fc.constant('rest' as const), ms: fc.constantFrom(100, 3_000, 40_000) }),
    fc.record({ kind: fc.constant('fail' as const), ms: fc.constantFrom(500, 4_000) }),
    fc.record({ kind: fc.constant('forward' as const), letters: tie('letters') }),
  ),
  letters: fc.array(fc.record({ to, ask: tie('ask') }), { minLength: 1, maxLength: 2 }),
}));

const machine = fc.record<MachineSpec>({
  mailAtMost: fc.integer({ min: 1, max: 3 }),
  takesMany: fc.boolean(),
  takesEarly: fc.boolean(),
  looksForMs: fc.constantFrom(0, looksForMs),
  asksFirst: fc.boolean(),
  triesAtMost: fc.integer({ min: 1, max: 2 }),
});

const outside = fc.record<OutsideLetter>({
  atMs: fc.oneof(fc.nat(200), fc.nat(40_000)),
  to,
  ask,
  againAfterMs: fc.option(fc.constantFrom(1, 50, 5_000), { nil: undefined, freq: 4 }),
  isShared: fc.boolean(),
});

const strike = {
  strikes: fc.oneof(
    fc.constant('crash' as const),
    fc.record({ freezeMs: fc.constantFrom(1_000, 2_500, 3_500, 5_000, 7_000, 10_000, 20_000, 50_000, 90_000) }),
  ),
};
const fault = fc.oneof(
  fc.record<Fault>({ nth: fc.oneof(fc.nat(40), fc.nat(250)), of: fc.constant('all'), ...strike }),
  fc.record<Fault>({ nth: fc.nat(8), of: fc.constantFrom('commit', 'deed', 'look'), ...strike }),
);

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  machines: fc.array(machine, { minLength: 1, maxLength: 2 }),
  outside: fc.array(outside, { minLength: 1, maxLength: 5 }),
  processes: fc.constantFrom('alone', 'one', 'two', 'two'),
  faults: fc.array(fault, { maxLength: 4 }),
  isRough: fc.boolean(),
  noise: fc.noShrink(fc.nat()),
});

export interface Letter {
  /** What is asked for under an id is done once, however often a letter with it comes. */
  id: string;
  /** Which of the letters with this id it is. */
  nth: number;
  ask: Ask;
}

/** No content of the bot: machines alone know what they are sent. */
export function entryWith(queue: string, letter: Letter, at: number): NewQueueEntry {
  return { queue, subscriptionId: 'model', at, content: { kind: 'letter', letter } as never };
}

export function letterIn({ content }: Pick<QueueEntry, 'content'>): Letter {
  return (content as unknown as { letter: Letter }).letter;
}

export function labelOf({ id, nth }: Pick<Letter, 'id' | 'nth'>): string {
  return `${id}#${nth}`;
}

/** The ids of what a letter has put into other mailboxes. */
export function idsOfForwarded({ id, ask: asked }: Letter): string[] {
  return asked.kind === 'forward' ? asked.letters.map((_, n) => `${id}.${n}`) : [];
}
