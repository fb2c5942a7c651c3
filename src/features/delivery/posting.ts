import type { QueueEntry, Submission } from '../../domain/queues.ts';
import type { AnnouncementChannel } from '../../operations/services/platform.ts';
import type { Announcement } from '../../domain/announcement.ts';
import type { PlatformError } from '../../domain/errors.ts';
import { resting, type Keep, type Mailbox } from '../../durable/machine.ts';
import {
  afterRefused,
  createPoster,
  mostEntries,
  type PostDeed,
  type Posting,
  type settlePost,
} from '../../durable/posting.ts';
import type { Log } from '../../observability/log.ts';

/** The state of a conversation. Of a message in flight, it keeps the entries that it announces. */
export type Conversation = Posting<{ positions: readonly number[] }>;

export type PostNote =
  | { kind: 'posted' | 'found'; id: string; responses: readonly string[] }
  | { kind: 'set_aside'; entry: QueueEntry; error: PlatformError }
  | { kind: 'closed'; code: string };

/** Posts messages of a conversation, and says what came of it. */
export function createPosting(deps: {
  channel: Pick<AnnouncementChannel, 'post' | 'find'>;
  /** How the log and the metrics speak of a conversation. */
  of: (mailbox: Mailbox) => { logged: Readonly<Record<string, string>>; count: (outcome: string) => void };
  log: Log;
}) {
  const { log } = deps;

  const poster = createPoster<{ mailbox: Mailbox; state: Posting | undefined }>(
    deps.channel,
    (error, { mailbox, state }) => {
      const { kind, code } = error;
      const { logged, count } = deps.of(mailbox);
      count(code);
      log[kind === 'rate_limited' || kind === 'too_long' ? 'warn' : 'error'](
        { error, ...logged, code, failures: (state?.failures ?? 0) + 1 },
        `an alert is not posted yet (${kind}); it is kept`,
      );
    },
  );

  return {
    ...poster,
    note(note: PostNote, mailbox: Mailbox): void {
      const { logged, count } = deps.of(mailbox);
      switch (note.kind) {
        case 'posted':
          count('posted');
          return log.info({ ...logged, message: note.id, responses: note.responses }, 'alert posted');
        case 'found':
          count('found');
          return log.info({ ...logged, message: note.id }, 'the alert is in the channel already');
        case 'set_aside': {
          count('set_aside');
          const { content, subscriptionId: subscription } = note.entry;
          const response = 'submission' in content ? responseId(content.submission) : undefined;
          const about = { error: note.error, ...logged, subscription, response };
          return log.error(about, 'an alert is set aside: it cannot be posted');
        }
        case 'closed':
      }
    },
  };
}

/** Keeps what came of a message: its entries are done with, or wait. */
export function keepPosted<State extends Conversation>(
  { state, outcome }: ReturnType<typeof settlePost<State>>,
  { inFlight: { id, positions }, announcement }: PostDeed<State>,
  { mail, now }: { mail: readonly QueueEntry[]; now: number },
): Keep<State, PostNote> {
  switch (outcome.kind) {
    case 'posted': {
      const note = { kind: outcome.isFound ? 'found' : 'posted', id, responses: responsesIn(announcement) } as const;
      return { ...resting(state), take: positions, note };
    }
    case 'closed':
      return { ...resting(state), note: { kind: 'closed', code: outcome.error.code } };
    case 'refused': {
      const { error } = outcome;
      // A head of a thread announces none: it is there for the first.
      const entry = mail.find(({ position }) => positions.length === 0 || positions.includes(position));
      const until = positions.at(-1) ?? entry?.position ?? 0;
      const next = afterRefused(state, { entries: positions.length, until }, now);
      return next.isSetAside && entry !== undefined
        ? { ...resting(next.state), take: [entry.position], note: { kind: 'set_aside', entry, error } }
        : resting(next.state);
    }
    default:
      return resting(state);
  }
}

/** The first of these entries, as many as a message may have. */
export function firstOf<Entry extends { position: number }>(
  state: Posting,
  entries: readonly Entry[],
): readonly Entry[] {
  const [first] = entries;
  return first === undefined ? [] : entries.slice(0, mostEntries(state, first.position));
}

const responseId = ({ quizId, responseId: id }: Submission) => `${quizId}/${id}`;

/** The responses that a message announces. */
function responsesIn(announcement: Announcement | undefined): readonly string[] {
  const announced =
    announcement?.kind === 'submission'
      ? [announcement]
      : announcement?.kind === 'submissions'
        ? announcement.items
        : [];
  return announced.map(({ submission }) => responseId(submission));
}
