import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { Submission } from '../domain/queue-entry.ts';
import { guestName } from '../domain/short-name.ts';
import { knownResult } from '../domain/result.ts';
import { outcomeOf } from '../domain/outcome.ts';
import type { Pause, Subscription } from '../domain/subscription.ts';
import type { EventContent } from './storage.ts';

/*
 * The upgrade of the data of version 2 (bots up to 1.0) to version 3. `upgrade-outcomes.ts` goes on from there. Each
 * function leaves upgraded data as it is, since an upgrade of Redis that broke off begins again. Audit entries stay as they
 * were written, because their texts are hashed into a chain: `parseAuditEntry` reads both forms.
 */

export type Json = Readonly<Record<string, unknown>>;

const queueNames: Readonly<Record<string, string>> = { compare: 'backfill', rounds: 'sweep' };

export function upgradeQueueName(name: string): string {
  return queueNames[name] ?? name;
}

/** Ids of events that the bot made of submissions it found by itself began with `late:`. */
export function upgradeEventId(id: string): string {
  return id.startsWith(oldBackfilledPrefix) ? `backfilled:${id.slice(oldBackfilledPrefix.length)}` : id;
}

const oldBackfilledPrefix = 'late:';

export function upgradeEntryContent(content: Json): Json {
  return isObject(content['submission'])
    ? { ...content, submission: renamed(content['submission'], { isLate: 'isBackfilled' }) }
    : content;
}

/** Renames the keys of a channel's state. The states of other queues have none of them. */
export function upgradeQueueState(state: unknown): unknown {
  if (!isObject(state)) return state;
  const { threads, inFlight, ...others } = renamed(state, { underWay: 'inFlight', lastTs: 'lastMessageId' });
  return {
    ...others,
    ...(isObject(threads) && {
      threads: Object.fromEntries(Object.entries(threads).map(([key, thread]) => [key, upgradeThread(thread)])),
    }),
    ...(isObject(inFlight) && { inFlight: upgradeInFlight(inFlight) }),
  };
}

function upgradeInFlight(message: Json): Json {
  const { thread } = message;
  return isObject(thread) ? { ...message, thread: { ...thread, counted: upgradeThread(thread['counted']) } } : message;
}

function upgradeThread(thread: unknown): unknown {
  return isObject(thread) ? renamed(thread, { ts: 'messageId' }) : thread;
}

export function upgradeSubscription(subscription: Json): Omit<Subscription, 'pause'> {
  return renamed(subscription, { which: 'filter', how: 'delivery' }) as unknown as Omit<Subscription, 'pause'>;
}

export function upgradePause(pause: unknown): Pause | null {
  return isObject(pause) ? (renamed(pause, { isTold: 'isOwnerNotified' }) as unknown as Pause) : null;
}

export function upgradeApprovalRequest(request: Json): ApprovalRequest {
  const upgraded = Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key,
      (key === 'lastFailure' || key === 'outcome') && isObject(value) ? renamed(value, { sentence: 'message' }) : value,
    ]),
  );
  return upgraded as unknown as ApprovalRequest;
}

/**
 * Reads an event that waited with the body of its webhook, which is no longer kept. Its submission has the form of version 4.
 * @returns undefined for an event that reports no submitted response
 */
export function upgradeWaitingEvent(event: {
  id: string;
  type: string;
  body: string;
  isTrusted: boolean;
}): EventContent | undefined {
  if (event.type !== 'response.submitted') return undefined;
  const data = dataOf(event.body);
  const { quiz_id: quizId, response_id: responseId } = data;
  if (typeof quizId !== 'string' || typeof responseId !== 'string') return undefined;
  if (!event.isTrusted) return { kind: 'hint', quizId, responseId };
  const submittedAt = momentOf(data['date_submitted']);
  const status = data['status'] ?? (submittedAt === null ? 'not_submitted' : 'submitted');
  if (status !== 'submitted') return undefined;
  const marks = {
    points: numberOf(data['points']),
    availablePoints: numberOf(data['available_points']),
    grade: textOf(data['grade']),
    passed: typeof data['pass'] === 'boolean' ? data['pass'] : null,
  };
  const submission: Submission = {
    ...knownResult({
      ...marks,
      outcome: outcomeOf(marks),
      percentage: numberOf(data['percentage_score']),
      attempt: numberOf(data['attempt']),
      durationSeconds: numberOf(data['duration']),
    }),
    quizId,
    responseId,
    quizName: textOf(data['quiz_name']),
    name: `${textOf(data['first_name'])} ${textOf(data['last_name'])}`.trim() || guestName,
    submittedAt,
    isBackfilled: event.id.startsWith(oldBackfilledPrefix),
  };
  return { kind: 'submission', submission };
}

function dataOf(body: string): Json {
  try {
    const event: unknown = JSON.parse(body);
    return isObject(event) && isObject(event['data']) ? event['data'] : {};
  } catch {
    return {};
  }
}

export function renamed(object: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names[key] ?? key, value]));
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The service writes decimals as numbers or as text. Null for anything else. */
function numberOf(value: unknown): number | null {
  const number =
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** The service writes `2018-11-02 00:05:47`, in UTC. */
function momentOf(value: unknown): number | null {
  const moment = typeof value === 'string' && value !== '' ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}
