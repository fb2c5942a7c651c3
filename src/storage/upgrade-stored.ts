import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { QueueEntry, Submission } from '../domain/queue-entry.ts';
import type { Pause, Subscription } from '../domain/subscription.ts';
import type { EventContent } from './storage.ts';

/*
 * From what version 2 of the store (bots up to 1.0) has written to what version 3 works with. Each function leaves what is
 * upgraded already as it is: an upgrade of Redis that broke off begins again. Audit entries are no part of it. Their
 * texts are hashed into a chain, so that they stay as they were written: `parseAuditEntry` knows both forms.
 */

type Json = Readonly<Record<string, unknown>>;

const queueNames: Readonly<Record<string, string>> = { compare: 'backfill', rounds: 'sweep' };

export function upgradeQueueName(name: string): string {
  return queueNames[name] ?? name;
}

/** Ids of events that the bot made of submissions it found by itself began with `late:`. */
export function upgradeEventId(id: string): string {
  return id.startsWith(oldBackfilledPrefix) ? `backfilled:${id.slice(oldBackfilledPrefix.length)}` : id;
}

const oldBackfilledPrefix = 'late:';

export function upgradeEntryContent(content: Json): QueueEntry['content'] {
  const upgraded = isObject(content['submission']) ? { ...content, submission: renamed(content['submission'], { isLate: 'isBackfilled' }) } : content;
  return upgraded as unknown as QueueEntry['content'];
}

/** Renames the keys of a channel's state. The states of other queues have none of them. */
export function upgradeQueueState(state: unknown): unknown {
  if (!isObject(state)) return state;
  const { threads, inFlight, ...others } = renamed(state, { underWay: 'inFlight', lastTs: 'lastMessageId' });
  return {
    ...others,
    ...(isObject(threads) && { threads: Object.fromEntries(Object.entries(threads).map(([key, thread]) => [key, upgradeThread(thread)])) }),
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
    Object.entries(request).map(([key, value]) => [key, (key === 'lastFailure' || key === 'outcome') && isObject(value) ? renamed(value, { sentence: 'message' }) : value]),
  );
  return upgraded as unknown as ApprovalRequest;
}

/**
 * What is still to be done about an event that waited with the body of its webhook, which is not kept any more.
 * Undefined: nothing, since it reports no submitted response.
 */
export function upgradeWaitingEvent(event: { id: string; type: string; body: string; isTrusted: boolean }): EventContent | undefined {
  if (event.type !== 'response.submitted') return undefined;
  const data = dataOf(event.body);
  const { quiz_id: quizId, response_id: responseId } = data;
  if (typeof quizId !== 'string' || typeof responseId !== 'string') return undefined;
  if (!event.isTrusted) return { kind: 'hint', quizId, responseId };
  const submittedAt = momentOf(data['date_submitted']);
  const status = data['status'] ?? (submittedAt === null ? 'not_submitted' : 'submitted');
  if (status !== 'submitted') return undefined;
  const submission: Submission = {
    quizId,
    responseId,
    quizName: textOf(data['quiz_name']),
    name: `${textOf(data['first_name'])} ${textOf(data['last_name'])}`.trim() || 'Somebody without a name',
    points: numberOf(data['points']),
    availablePoints: numberOf(data['available_points']),
    percentage: numberOf(data['percentage_score']),
    grade: textOf(data['grade']),
    outcome: data['pass'] === true ? 'passed' : 'failed',
    attempt: numberOf(data['attempt']),
    durationSeconds: numberOf(data['duration']),
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

function renamed(object: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names[key] ?? key, value]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The service writes decimals as numbers or as text. */
function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** The service writes `2018-11-02 00:05:47`, in UTC. */
function momentOf(value: unknown): number | null {
  const moment = typeof value === 'string' && value !== '' ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}
