import {
  dueMessages,
  isForRespondent,
  isOptional,
  pickAtOnce,
  pickedIn,
  timesOf,
  personAnnouncement,
} from './due-messages.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { Counter } from 'prom-client';
import { PlatformError } from '../../domain/errors.ts';
import { userOfQueue } from '../../domain/queue-names.ts';
import type { Machine, Step } from '../../durable/machine.ts';
import {
  afterFailure,
  lookFor,
  post,
  postingRestsUntil,
  settlePost,
  type PostAnswer,
  type PostDeed,
} from '../../durable/posting.ts';
import { BudgetError, RateLimitedError } from '../../quiz-api/errors.ts';
import { createPosting, keepPosted, resting } from './posting.ts';
import { personFacts, type PersonSources } from './person-facts.ts';
import {
  freshPersonState,
  type Hindrance,
  type PersonFacts,
  type PersonState,
  type PersonView,
  type Recipient,
} from './person-view.ts';
import { dropped, positionsOf, withFate, withoutPointless, type PersonNote } from './taken-out.ts';

/** Read at once; those of a person who cannot be written to are dropped together. */
const entriesAtMost = 100;

type PersonStep = Step<PersonState, PersonFacts, PostDeed<PersonState>, PersonNote>;

/**
 * Posts what waits for a user of the quiz account, or for a manager, in the bot's direct messages with them: each once, a second apart.
 * Messages of campaigns come in the person's working hours, and notices once a day in one message; the others come in order
 * and at once. Messages to nobody, to a person who has turned them off, and those that have become pointless, are dropped.
 */
export function personMachine(
  deps: PersonSources & {
    channel: AnnouncementChannel;
    /** The address where a quiz is taken; undefined where the account has none configured. */
    takeUrl: (quizId: string) => string | undefined;
    newId: () => string;
    counter: Pick<Counter<'outcome'>, 'inc'>;
    now: () => number;
  },
): Machine<PersonState, PersonFacts, PostDeed<PersonState>, PostAnswer, PersonNote> {
  const { log, counter, holidays, now } = deps;
  const posting = createPosting({
    ...deps,
    // The id of the conversation would name the person.
    of: () => ({ logged: { queue: 'person' }, count: (outcome) => counter.inc({ outcome }) }),
  });

  /** What keeps messages from being posted; undefined: nothing. */
  function hindrance(view: PersonView, problem: string | Recipient | Hindrance): PersonStep | undefined {
    if (typeof problem === 'string' || problem.kind === 'found') return undefined;
    if (problem.kind === 'later') return { kind: 'rest', until: problem.at };
    if (problem.kind === 'nobody') return dropped(view, problem.reason, view.mail);
    if (problem.kind === 'turned off')
      return dropped(view, 'turned_off', view.mail.filter(problem.by === 'person' ? isOptional : isForRespondent));
    const { error } = problem;
    const failure = { retryAfterMs: retryAfterMs(error), ...(error instanceof PlatformError && { kind: error.kind }) };
    return resting(afterFailure(view.state ?? freshPersonState, failure, view.now));
  }

  function step(view: PersonView): PersonStep {
    const { state = freshPersonState, mail, facts } = view;
    if (mail.length === 0) return state.inFlight ? dropped(view, 'old', []) : { kind: 'rest', until: undefined };

    const isTimed = pickAtOnce(mail, state.inFlight).length === 0;
    if (isTimed) {
      const early = stepBeforeTurn(view);
      if (early) return early;
    }
    if (!('turnAt' in facts)) return { kind: 'ask', for: 'turnAt' };
    if (facts.turnAt !== undefined) return { kind: 'rest', until: facts.turnAt };

    const picked = pickedIn(view, holidays);
    if (state.inFlight === undefined) {
      if (facts.reports === undefined && picked[0]?.content.kind === 'campaign-reports')
        return { kind: 'ask', for: 'reports' };
      const { pointless } = facts;
      if (pointless === undefined) return { kind: 'ask', for: 'pointless' };
      if (pointless.length > 0) return withoutPointless(view, pointless);
    }
    const { recipient, conversation } = facts;
    if (recipient === undefined) return { kind: 'ask', for: 'recipient' };
    if (recipient.kind !== 'found') return hindrance(view, recipient)!;
    if (conversation === undefined) return { kind: 'ask', for: 'conversation' };
    if (typeof conversation !== 'string') return hindrance(view, conversation)!;
    if (state.inFlight) return lookFor(state, { channelId: conversation });
    const reader = {
      userId: userOfQueue(view.mailbox.id),
      now: now(),
      reports: facts.reports ?? [],
    };
    const announcement = personAnnouncement(picked, reader, deps.takeUrl);
    if (announcement === undefined) return dropped(view, 'unknown', picked);
    const inFlight = {
      id: deps.newId(),
      startedAt: view.now,
      positions: positionsOf(picked),
      isNotice: announcement.kind === 'campaign-notices',
      isList: announcement.kind === 'campaign-reports',
    };
    return post(state, { channelId: conversation, inFlight, announcement });
  }

  /** What comes before a message that comes in working hours. Conversations open more slowly than messages are posted. */
  function stepBeforeTurn(view: PersonView): PersonStep | undefined {
    const { mail, facts } = view;
    const { recipient, conversation } = facts;
    if (recipient === undefined) return { kind: 'ask', for: 'recipient' };
    if (recipient.kind !== 'found') return hindrance(view, recipient);
    if (facts.running === undefined) return { kind: 'ask', for: 'running' };
    const due = dueMessages(mail, timesOf(view, recipient, holidays));
    if ('waitUntil' in due) return { kind: 'rest', until: due.waitUntil };
    if (!('quietUntil' in facts)) return { kind: 'ask', for: 'quietUntil' };
    if (facts.quietUntil !== undefined) return { kind: 'rest', until: facts.quietUntil };
    if (conversation === undefined) return { kind: 'ask', for: 'conversation' };
    return hindrance(view, conversation);
  }

  return {
    mailAtMost: entriesAtMost,
    needsPlatform: true,
    keptAtRestMs: 30 * 24 * 3_600_000,
    restsUntil: postingRestsUntil,
    isBusy: ({ inFlight }) => inFlight !== undefined,
    step,
    facts: personFacts(deps),
    deeds: {
      do: posting.do,
      look: posting.look,
      settle(deed, answer, view) {
        // What waits for a person who cannot be written to goes to nobody.
        if (answer instanceof PlatformError && answer.kind === 'closed') return dropped(view, answer.code, view.mail);
        const { state, outcome } = settlePost(view.state, deed, answer, view.now);
        const { isNotice, isList, startedAt } = deed.inFlight;
        const isThere = outcome.kind === 'posted';
        const after = {
          ...state,
          ...(isThere && isNotice && { noticedAt: startedAt }),
          ...(isThere && isList && { listedAt: startedAt }),
        };
        return withFate(keepPosted({ state: after, outcome }, deed, view), view);
      },
    },
    note(note, { mailbox }) {
      if (note.kind === 'dropped') {
        if (note.count > 0) counter.inc({ outcome: note.reason }, note.count);
        log.debug({ queue: 'person', reason: note.reason, dropped: note.count }, 'direct messages are dropped');
      } else if (note.kind === 'pointless') {
        for (const { content } of note.entries)
          counter.inc({ outcome: content.kind === 'assigned' ? 'not_assigned' : 'not_wanted' });
      } else posting.note(note, mailbox);
    },
  };

  /** Undefined: after a longer pause with each failure. */
  function retryAfterMs(error: Error): number | undefined {
    if (error instanceof BudgetError) return error.availableAt.getTime() - now();
    if (error instanceof RateLimitedError) return error.retryAt.getTime() - now();
    return error instanceof PlatformError ? error.retryAfterMs : undefined;
  }
}
