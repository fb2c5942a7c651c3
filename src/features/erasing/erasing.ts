import type { AuditEntry } from '../../domain/audit-chain.ts';
import { erasingQueue, type ErasingEvent, type PersonToErase } from '../../domain/queues.ts';
import { addressId, createEraser, type Describe, type Eraser } from '../../domain/erasure.ts';
import {
  type AnyMachine,
  type Machine,
  type Step,
  type View,
  resting,
  restFor,
  restsUntil,
  type Rest,
} from '../../durable/machine.ts';
import { mailboxes, type Mail } from '../../durable/mail.ts';
import type { Erasing } from '../../operations/services/people.ts';
import type { Cleansing } from '../../storage/storage.ts';
import type { AuditTrail } from '../../storage/audit.ts';
import { erasedName } from '../../domain/sealed-entry.ts';
import { erasingWords } from './operations/erase-person.ts';

const { entry, events } = mailboxes('erasing', 'erasing');
/** From the request to create somebody to their batch, and from its row to the message about it. */
const learnsAtMost = 4;

/** Erases people who have left the account for good. */
export function createErasing(deps: {
  trail: Pick<AuditTrail, 'erase'>;
  cleansing: Cleansing;
  mail: Mail;
  /** Says of what is stored whom it is about. */
  describe: Describe;
  isGone: (userId: string) => Promise<boolean>;
  record: (teamId: string, entry: AuditEntry) => Promise<void>;
  newId: () => string;
  now: () => number;
}): { service: (teamId: string) => Erasing; machine: AnyMachine } {
  const { trail, cleansing, mail, now } = deps;

  const put = async (teamId: string, userId: string, event: ErasingEvent) =>
    mail.put([entry(erasingQueue(teamId, userId), event, now())]);

  /**
   * Others can know a person by something else than their IDs, such as the row of the file that they were created from. An ID of the platform
   * that a campaign has is not theirs any more where another user of the account has it.
   */
  async function erasedBy(person: PersonToErase): Promise<Eraser> {
    const { userId, personId, addresses } = person;
    const ids = [userId, personId, ...addresses.map(addressId)].filter((id) => id !== undefined);
    const eraser = createEraser(ids, deps.describe);
    for (let round = 0, isNew = true; isNew && round < learnsAtMost; round += 1) {
      isNew = false;
      await cleansing.rewrite((place, text) => {
        isNew = eraser.learn(place, text) || isNew;
        return text;
      });
    }
    for (const { id, userIds } of eraser.shared())
      if ((await Promise.all(userIds.map(deps.isGone))).includes(false)) eraser.forget(id);
    return eraser;
  }

  return {
    service: (teamId) => ({
      begin: async ({ by, ...person }) => put(teamId, person.userId, { kind: 'begin', person, by }),
      goOn: async (userId) => put(teamId, userId, { kind: 'go on' }),
    }),
    machine: erasingMachine({
      ...deps,
      async erase(teamId, person) {
        const eraser = await erasedBy(person);
        const ofTrail = await trail.erase(teamId, person.userId, eraser.known());
        return ofTrail + (await cleansing.rewrite(eraser.erase));
      },
      compact: cleansing.compact,
    }),
  };
}

/** `person` is there as long as what names them is needed. */
export type ErasingState = Rest & { userId: string; by: string; since: number } & (
    | { phase: 'waiting'; person: PersonToErase }
    /** `passes`: over the whole store. `replaced`: texts and keys, in all passes. */
    | { phase: 'erasing'; person: PersonToErase; passes: number; replaced: number }
    | { phase: 'compacting'; replaced: number }
    | { phase: 'recording'; replaced: number; isCompact: boolean }
    | { phase: 'over' }
  );

type ErasingView = View<ErasingState>;
type ErasingStep = Step<ErasingState>;

/** A deletion without a clear answer may have been made. One that was refused is asked for again, and begins anew. */
const looksAgainAfterMs = 5 * 60_000;
const waitsForMs = 3_600_000;
/** What was under way in the first pass is written by then, and what is kept for ten minutes is forgotten, such as people’s addresses. */
const betweenPassesMs = 11 * 60_000;
const passesAtMost = 10;
const keptAtRestMs = 30 * 24 * 3_600_000;

/**
 * Erases a person once their user is deleted: destroys their key on the record, and goes over the store until a pass finds nothing more.
 * Then nothing here names them, and the files of the store are written anew. Each part can be done twice.
 */
export function erasingMachine(deps: {
  /** Whether the account has no such user any more. */
  isGone: (userId: string) => Promise<boolean>;
  /** Goes over the record and the store. @returns how much was erased */
  erase: (teamId: string, person: PersonToErase) => Promise<number>;
  compact: () => Promise<boolean>;
  /** Puts an entry on the audit trail. It can run twice for one. */
  record: (teamId: string, entry: AuditEntry) => Promise<void>;
  newId: () => string;
}): Machine<ErasingState> {
  async function step(view: ErasingView): Promise<ErasingStep> {
    const { state, mail, mailbox, now } = view;
    if (mail.length > 0) {
      const taken = afterMail(view);
      const take = mail.map(({ position }) => position);
      return { kind: 'keep', state: taken ?? over(state, now), take };
    }
    if (state === undefined) return { kind: 'rest', until: undefined };
    const { userId, by, since } = state;
    const common = { userId, by, since };
    switch (state.phase) {
      case 'waiting': {
        const restingUntil = restsUntil(state, now);
        if (restingUntil !== undefined) return { kind: 'rest', until: restingUntil };
        // The account is asked in any case: the ID of a user who is still there erases nobody.
        const isGone = await deps.isGone(userId);
        if (!isGone && now - since > waitsForMs) return { kind: 'keep', state: over(state, now) };
        if (!isGone) return resting({ ...state, ...restFor(looksAgainAfterMs, view.now) });
        const { person } = state;
        return { kind: 'keep', state: { ...common, phase: 'erasing', person, passes: 0, replaced: 0, notBefore: 0 } };
      }
      case 'erasing': {
        const found = await deps.erase(mailbox.teamId, state.person);
        const passes = state.passes + 1;
        const replaced = state.replaced + found;
        const isClean = (found === 0 && passes > 1) || passes >= passesAtMost;
        return isClean
          ? { kind: 'keep', state: { ...common, phase: 'compacting', replaced, notBefore: 0 } }
          : resting({ ...state, passes, replaced, ...restFor(betweenPassesMs, view.now) });
      }
      case 'compacting': {
        const isCompact = await deps.compact();
        const { replaced } = state;
        return { kind: 'keep', state: { ...common, phase: 'recording', replaced, isCompact, notBefore: 0 } };
      }
      case 'recording':
        await deps.record(mailbox.teamId, finishedEntry(state, { at: now, id: deps.newId() }));
        return { kind: 'keep', state: over(state, now) };
      case 'over':
        return { kind: 'rest', until: undefined };
    }
  }

  return {
    mailAtMost: 10,
    keptAtRestMs,
    // While it waits for the deletion, it takes its mail.
    restsUntil: (state, now) => (state.phase === 'waiting' ? undefined : restsUntil(state, now)),
    isBusy: ({ phase }) => phase !== 'over',
    step,
  };
}

/** Who is being erased already stays so. */
function afterMail({ state, mail, now }: ErasingView): ErasingState | undefined {
  return events(mail).reduce((known: ErasingState | undefined, event) => {
    if (event.kind === 'go on') return known?.phase === 'waiting' ? { ...known, notBefore: 0 } : known;
    if (known !== undefined && known.phase !== 'over') return known;
    const { person, by } = event;
    return { phase: 'waiting', userId: person.userId, by, since: now, person, ...restFor(looksAgainAfterMs, now) };
  }, state);
}

function over(state: ErasingState | undefined, now: number): ErasingState {
  const { userId = '', by = '', since = now } = state ?? {};
  return { phase: 'over', userId, by, since, notBefore: 0 };
}

function finishedEntry(
  { userId, replaced, isCompact }: ErasingState & { phase: 'recording' },
  { at, id }: { at: number; id: string },
): AuditEntry {
  return {
    at,
    correlationId: id,
    operation: 'erase-person',
    change: erasingWords.finished(replaced, isCompact),
    action: 'done',
    through: 'the bot',
    targets: [{ kind: 'user', id: userId, name: erasedName }],
  };
}
