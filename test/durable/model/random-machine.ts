import type { NewQueueEntry, QueueEntry } from '../../../src/domain/queues.ts';
import {
  type Keep,
  type Machine,
  type Step,
  type View,
  restFor,
  restsUntil,
  type Rest,
} from '../../../src/durable/machine.ts';
import { entryWith, idsOfForwarded, labelOf, letterIn, type Letter, type MachineSpec } from './scenario.ts';

export interface ModelState extends Rest {
  /** Grows by one with each state. */
  revision: number;
  /** Every letter that was taken out, in this order. */
  applied: readonly string[];
  /** Ids of letters that were acted on. */
  acted: readonly string[];
  settled: Readonly<Record<string, 'done' | 'given up'>>;
  /** A deed that is to be done once more. */
  owed?: Owed | undefined;
  deed?: ModelDeed | undefined;
}

interface Owed {
  id: string;
  /** The letter that is taken out when the deed is over. */
  waits?: { position: number; label: string } | undefined;
  tries: number;
}

export interface ModelDeed extends Owed {
  /** Of this try. */
  key: string;
  startedAt: number;
  lookAt: number;
}

export type ModelAnswer = 'done' | 'refused' | 'unknown';
interface ModelNote {
  revision: number;
}
export type ModelMachine = Machine<ModelState, ModelDeed, ModelAnswer, ModelNote, true | undefined>;
type ModelKeep = Keep<ModelState, ModelNote>;
type ModelView = View<ModelState, true | undefined>;

/** The runtime begins a deed within this time after its step, or not at all: a look before tells nothing. */
const firstLookMs = 2_000;
const nextLookMs = 5_000;
/** Finds out something elsewhere. */
type Ask = (id: string) => Promise<string>;

const fresh: ModelState = { revision: 0, applied: [], acted: [], settled: {}, notBefore: 0 };

/**
 * A machine that does what its letters ask for. It relies on what the interfaces of a machine say, and on nothing else.
 *
 * @param deps.mailboxes by the number that a letter has for them
 * @param deps.expect called with what those interfaces promise, and whether it is so
 */
export function randomMachine(
  spec: MachineSpec,
  deps: { mailboxes: readonly string[]; expect: (isSo: boolean, promise: string) => void },
): Omit<ModelMachine, 'first' | 'step' | 'note' | 'deeds'> & {
  step: (view: ModelView, ask: Ask) => Promise<Step<ModelState, ModelDeed, ModelNote>>;
} & Pick<NonNullable<ModelMachine['deeds']>, 'settle'> {
  const { expect } = deps;

  async function step(view: ModelView, ask: Ask): Promise<Step<ModelState, ModelDeed, ModelNote>> {
    const { state = fresh, mail, first, now } = view;
    expect(!spec.asksFirst || first === true, 'what is asked first is known in a step');
    expect(restsUntil(state, now) === undefined, 'no step while it rests');
    expectWaiting(view);
    if (state.deed)
      return state.deed.lookAt > now ? { kind: 'rest', until: state.deed.lookAt } : { kind: 'look', deed: state.deed };
    if (state.owed) return begin(state, state.owed, now);
    const [head] = mail;
    if (head === undefined) return { kind: 'rest', until: undefined };
    const letter = letterIn(head);
    if (state.acted.includes(letter.id)) return keep(state, {}, [head]);
    switch (letter.ask.kind) {
      case 'count':
        return keep(state, {}, spec.takesMany ? leadingCounts(mail) : [head]);
      case 'deed': {
        const { position } = head;
        const waits = spec.takesEarly ? undefined : { position, label: labelOf(letter) };
        return begin(state, { id: letter.id, waits, tries: 0 }, now, spec.takesEarly ? [head] : []);
      }
      case 'question':
        expect((await ask(letter.id)) === letter.id, 'a fact is found out in the run that asks for it');
        return keep(state, {}, [head]);
      case 'rest':
        return { ...keep(state, restFor(letter.ask.ms, now), [head]), at: now + letter.ask.ms };
      case 'fail':
        if (now < head.at + letter.ask.ms) throw new Error('the step fails, as it was asked to');
        return keep(state, {}, [head]);
      case 'forward':
        return { ...keep(state, {}, [head]), put: forwarded(letter, deps.mailboxes, now) };
    }
  }

  function begin(state: ModelState, owed: Owed, now: number, taken: readonly QueueEntry[] = []) {
    const deed = { ...owed, key: `${owed.id}#${owed.tries}`, startedAt: now, lookAt: now + firstLookMs };
    return { kind: 'do' as const, deed, keep: keep(state, { deed, owed: undefined }, taken) };
  }

  /** What waits came in this order, and nothing in it was taken out before. */
  function expectWaiting({ state = fresh, mail }: ModelView): void {
    expect(mail.length <= spec.mailAtMost, 'no more mail than a machine reads');
    const isInOrder = mail.every(({ position }, n) => n === 0 || position > mail[n - 1]!.position);
    expect(isInOrder, 'mail comes in its order');
    expect(
      mail.every((entry) => !state.applied.includes(labelOf(letterIn(entry)))),
      'mail in a view waits',
    );
  }

  return {
    mailAtMost: spec.mailAtMost,
    restsUntil,
    isBusy: ({ deed, owed }) => deed !== undefined || owed !== undefined,
    step,
    settle(deed, answer, view) {
      const { state, now } = view;
      expectWaiting(view);
      expect(state.deed?.key === deed.key, 'a deed is settled on the state that has it under way');
      if (answer === 'done') return over(state, deed, 'done');
      if (answer === 'unknown') return lookLater(state, deed, Math.max(now, deed.startedAt + firstLookMs));
      if (answer === undefined && now - deed.startedAt < spec.looksForMs)
        return lookLater(state, deed, now + nextLookMs);
      const tries = deed.tries + 1;
      if (tries >= spec.triesAtMost) return over(state, deed, 'given up');
      return keep(state, { deed: undefined, owed: { id: deed.id, waits: deed.waits, tries } });
    },
  };
}

function over(state: ModelState, { id, waits }: ModelDeed, how: 'done' | 'given up'): ModelKeep {
  const next = { deed: undefined, settled: { ...state.settled, [id]: how }, acted: [...state.acted, id] };
  const kept = keep(state, next);
  if (waits === undefined) return kept;
  return { ...kept, state: { ...kept.state, applied: [...state.applied, waits.label] }, take: [waits.position] };
}

function lookLater(state: ModelState, deed: ModelDeed, lookAt: number): ModelKeep {
  return { ...keep(state, { deed: { ...deed, lookAt } }), at: lookAt };
}

function keep(state: ModelState, change: Partial<ModelState>, taken: readonly QueueEntry[] = []): ModelKeep {
  const revision = state.revision + 1;
  return {
    kind: 'keep',
    state: {
      ...state,
      applied: [...state.applied, ...taken.map((entry) => labelOf(letterIn(entry)))],
      acted: [...state.acted, ...taken.map((entry) => letterIn(entry).id)],
      ...change,
      revision,
    },
    take: taken.map(({ position }) => position),
    note: { revision },
  };
}

function leadingCounts(mail: readonly QueueEntry[]): readonly QueueEntry[] {
  const end = mail.findIndex((entry) => letterIn(entry).ask.kind !== 'count');
  return end === -1 ? mail : mail.slice(0, end);
}

function forwarded(letter: Letter, mailboxes: readonly string[], now: number): NewQueueEntry[] {
  const { ask } = letter;
  if (ask.kind !== 'forward') return [];
  return idsOfForwarded(letter).map((id, n) => {
    const { to, ask: asked } = ask.letters[n]!;
    return entryWith(mailboxes[to % mailboxes.length]!, { id, nth: 0, ask: asked }, now);
  });
}
