import type { NewQueueEntry } from '../domain/queue-entry.ts';
import { readQueue, stepQueue } from '../domain/queue-names.ts';
import type { ResultWait, StepEnding } from '../domain/workflow.ts';

/**
 * What version 1.7 stored becomes what this version reads. Both stores give each text that they keep to the functions at the end
 * of this file, at the start and before anything else reads it; the audit trail and its keys stay as they are.
 *
 * **To change what is stored**, write a pure function from the form of 1.7 to today's and add it to one of the tables below, at
 * the kind of mailbox or the namespace that it is about. It returns what it got where nothing changes, and `dropped` where
 * nobody needs it any more. With `about.put`, it sends mail to a mailbox of today in one step with the change, such as from what
 * is dropped. Beside it stands the form of 1.7, as far as it is read: no feature is imported, since a feature of tomorrow does not
 * say what 1.7 stored.
 *
 * - A field that 1.6 did not write can be missing in states of 1.7 that nothing has changed since.
 * - In Redis, an upgrade that was killed begins again: **a function gets what it returned, and returns it as it is**.
 * - `test/storage/upgrade-17.test.ts` starts the bot on a store of 1.7 with all that it can have: add what you rewrite, and
 *   say what goes on.
 */
type Rewrite = (stored: never, about: About) => unknown;

interface About {
  /** The mailbox, the key of a value, or an ID. */
  name: string;
  /** Of a mailbox. */
  teamId: string;
  /** Milliseconds since the epoch. */
  now: number;
  put(mail: NewQueueEntry): void;
}

const dropped = Symbol('dropped');
const drop = () => dropped;

type Table = Readonly<Record<string, readonly Rewrite[]>>;

/** Waits for results of workflow steps, of users who share a mailbox. A step was over for 1.7 once it waited. */
interface Waits17 {
  waits: readonly (ResultWait & { executionId: string; ending?: StepEnding })[];
}

function waitInSteps({ waits }: Waits17, about: About): typeof dropped {
  for (const wait of waits) putWait(wait, about);
  return dropped;
}

/** The result of a submission is dropped: a step asks the service when it begins to wait. */
function waitInStep({ event }: { event: { kind: string; wait?: Waits17['waits'][number] } }, about: About) {
  if (event.wait) putWait(event.wait, about);
  return dropped;
}

function putWait(
  {
    executionId,
    ending,
    personId,
    grantId,
    quizId,
    userId,
    names,
    countsFrom,
    needsPass,
    until,
    result,
  }: Waits17['waits'][number],
  { teamId, now, put }: About,
): void {
  const wait: ResultWait = {
    personId,
    ...(grantId !== undefined && { grantId }),
    quizId,
    userId,
    ...(names && { names }),
    ...(countsFrom !== undefined && { countsFrom }),
    needsPass,
    until,
    result,
  };
  const execution = { id: executionId, teamId, step: 'wait_for_result', inputs: {}, startedAt: now };
  put({
    queue: stepQueue(teamId, executionId),
    subscriptionId: 'workflows',
    at: now,
    content: { kind: 'workflow-event', event: { kind: 'wait', execution, wait, ...(ending && { ending }) } },
  });
}

/** A digest of several messages: of one that is in flight, the first was all from now on. */
interface Channel17 {
  digests?: unknown;
  inFlight?: { positions: readonly number[]; digest?: { position: number } };
}

function withoutDigests(state: Channel17): unknown {
  const { digests, inFlight, ...others } = state;
  if (digests === undefined && inFlight?.digest === undefined) return state;
  const { digest, ...message } = inFlight ?? { positions: [] };
  return { ...others, ...(inFlight && { inFlight: digest ? { ...message, positions: [digest.position] } : message }) };
}

/** A correction that waited for a digest would count as another submission. */
function withoutCorrections(content: { submission?: { corrects?: unknown } }): unknown {
  return content.submission?.corrects === undefined ? content : dropped;
}

/** By kind of mailbox. A large state comes whole. */
const states: Table = {
  channel: [withoutDigests],
  departures: [listsOfDeparted],
  // Evidence packs that people got every month.
  evidence: [drop],
  waits: [waitInSteps],
};

/** The content of what waits in mailboxes, by their kind. */
const mail: Table = {
  digest: [withoutCorrections],
  evidence: [drop],
  person: [withoutMonthlyEvidence],
  waits: [waitInStep],
};

function withoutMonthlyEvidence(content: { kind: string }): unknown {
  return content.kind === 'no-evidence' ? dropped : content;
}

/** By namespace of keyed values. */
const values: Table = {
  // 1.7 read once what 1.6 kept of the audit channel.
  'audit-pending': [drop],
  'audit-posted': [drop],
  'audit-posts': [drop],
  // What people said that the columns of files hold.
  'import-columns': [drop],
  // Of bots for some groups of an account.
  'made-here': [drop],
  'quiz-groups': [drop],
};

/** What is kept by ID. None of it is dropped. */
const records = {
  /** Of subscriptions, without their pauses. */
  subscriptions: [],
  /** Requests for approval. */
  requests: [],
} as const satisfies Table;

/** Lists replace proposals. Everybody is read again at once, so that the messages of open ones show the buttons of today. */
function listsOfDeparted(stored: Departures17) {
  const { people, proposedAt, notices, notBefore } = stored;
  if (notices === undefined) return stored;
  return {
    people: people.map(({ left, ...person }) => ({
      ...person,
      ...(left && {
        left: {
          at: left.at,
          ...(left.isEarlier && { isEarlier: left.isEarlier }),
          ...(left.isHandled && { isListed: left.isHandled }),
        },
      }),
    })),
    readAt: 0,
    listedAt: proposedAt,
    lists: notices.flatMap(({ kind, id, postedAt, readers, people: noticed = [] }) =>
      kind === 'proposal'
        ? {
            id,
            postedAt,
            readers,
            people: noticed.flatMap(({ userId, name, at, end }) => (end ? [] : { userId, name, leftAt: at })),
            mass: null,
          }
        : [],
    ),
    notBefore,
  };
}

interface Departures17 {
  people: { userId: string; personId: string; left?: { at: number; isEarlier?: true; isHandled?: true } }[];
  proposedAt: number;
  /** Undefined: it is of today. */
  notices?: {
    kind: 'proposal' | 'return' | 'mass';
    id: string;
    postedAt: number;
    readers: unknown;
    people?: { userId: string; name: string; at: number; end?: unknown }[];
  }[];
  notBefore: number;
}

/** How the parts of a large state belong into it. */
const joinParts: Readonly<Record<string, (head: never, parts: readonly unknown[]) => unknown>> = {
  campaign: ({ campaign, ...progress }: { campaign: object }, members) => ({
    ...progress,
    campaign: { ...campaign, members },
  }),
};

/** The namespaces of which the upgrade reads values. */
export const upgradedNamespaces: readonly string[] = Object.keys(values);

/** What a stored text becomes, with the mail that it sends. */
export interface Upgraded {
  change: 'kept' | 'dropped' | { text: string };
  mail: readonly NewQueueEntry[];
}

/** @param parts of a large state, in their order; one that changes is stored whole */
export function upgradedState(queue: string, text: string, parts: readonly string[], now: number): Upgraded {
  const { kind, teamId } = readQueue(queue);
  return upgraded(states[kind] ?? [], { name: queue, teamId, now }, () => {
    const head: unknown = JSON.parse(text);
    return parts.length === 0
      ? head
      : joinParts[kind]?.(
          head as never,
          parts.map((part) => JSON.parse(part) as unknown),
        );
  });
}

/** @param text the content of an entry */
export function upgradedMail(queue: string, text: string, now: number): Upgraded {
  const { kind, teamId } = readQueue(queue);
  return upgraded(mail[kind] ?? [], { name: queue, teamId, now }, () => JSON.parse(text));
}

/** @param text as Keyv writes it, with when it expires */
export function upgradedValue(namespace: string, key: string, text: string, now: number): Upgraded {
  const about = { name: key, teamId: '', now };
  let kept: { value?: unknown } = {};
  const read = () => (kept = JSON.parse(text) as typeof kept).value;
  return upgraded(values[namespace] ?? [], about, read, (value) => ({ ...kept, value }));
}

export function upgradedRecord(table: keyof typeof records, id: string, text: string, now: number): Upgraded {
  return upgraded(records[table], { name: id, teamId: '', now }, () => JSON.parse(text));
}

function upgraded(
  rewrites: readonly Rewrite[],
  about: Omit<About, 'put'>,
  read: () => unknown,
  asKept: (value: unknown) => unknown = (value) => value,
): Upgraded {
  if (rewrites.length === 0) return { change: 'kept', mail: [] };
  try {
    const sent: NewQueueEntry[] = [];
    const before = read();
    let value = before;
    for (const rewrite of rewrites) {
      value = rewrite(value as never, { ...about, put: (one) => void sent.push(one) });
      if (value === dropped) return { change: 'dropped', mail: sent };
    }
    return { change: value === before ? 'kept' : { text: JSON.stringify(asKept(value)) }, mail: sent };
  } catch (cause) {
    // What cannot be read is set aside when somebody wants it.
    if (cause instanceof SyntaxError) return { change: 'kept', mail: [] };
    throw new Error(`what version 1.7 stored of ${about.name} cannot be upgraded`, { cause });
  }
}
