import { createHash } from 'node:crypto';
import type { Subscription } from './subscription.ts';

/** Events that wait in the inbox. */
export const inboxQueue = 'inbox';
/** Looks for submissions without a webhook. */
export const backfillQueue = 'backfill';
/** Tells the owners of paused alerts. */
export const pausesQueue = 'pauses';
/** Wakes the other queues regularly, and drops what is too old. */
export const sweepQueue = 'sweep';

/** What the entries of all direct messages have in place of a subscription: old ones are dropped by it. */
export const directMessages = 'direct-messages';

/** What waits for a channel. */
export function channelQueue(teamId: string, channelId: string): string {
  return `channel/${teamId}/${channelId}`;
}

/** What waits for a subscription's next digest. */
export function digestQueue(teamId: string, subscriptionId: string): string {
  return `digest/${teamId}/${subscriptionId}`;
}

/** What waits for a user of the quiz account. Ids of the service can hold characters that names of queues cannot. */
export function personQueue(teamId: string, userId: string): string {
  return queueOfPerson(teamId, Buffer.from(userId).toString('base64url'));
}

/** What waits for a person of the platform, with or without a user in the quiz account: as a manager of others, or about evidence. */
export function managerQueue(teamId: string, personId: string): string {
  return queueOfPerson(teamId, `${managerMark}${personId}`);
}

function queueOfPerson(teamId: string, id: string): string {
  return `person/${teamId}/${id}`;
}

/** In no ID of another person’s queue: base64url does not have it. */
const managerMark = '.';

/** The user whose queue has this id. */
export function userOfQueue(id: string): string {
  return Buffer.from(id, 'base64url').toString();
}

/** The person of the platform whose queue has this id; undefined for the queue of a user. */
export function managerOfQueue(id: string): string | undefined {
  return id.startsWith(managerMark) ? id.slice(managerMark.length) : undefined;
}

/** What happened to a campaign. */
export function campaignQueue(teamId: string, campaignId: string): string {
  return `campaign/${teamId}/${campaignId}`;
}

/** The workspace’s list of campaigns. Nothing waits in it: it is the state of a queue because a campaign starts in one step with it. */
export function campaignsQueue(teamId: string): string {
  return `campaigns/${teamId}`;
}

/** What happened to people of a workspace, who may have left it. */
export function departuresQueue(teamId: string): string {
  return `departures/${teamId}`;
}

/** The erasing of a user of the account. */
export function erasingQueue(teamId: string, userId: string): string {
  return `erasing/${teamId}/${Buffer.from(userId).toString('base64url')}`;
}

/** What happened to a batch. */
export function batchQueue(teamId: string, batchId: string): string {
  return `batch/${teamId}/${batchId}`;
}

/** A run of a workflow’s step, by the platform’s ID of the run. */
export function stepQueue(teamId: string, executionId: string): string {
  return `step/${teamId}/${executionId}`;
}

/** The list of the runs that wait for results. A queue of each that has something to do would be woken with every sweep. */
export function waitsQueue(teamId: string): string {
  return `waits/${teamId}`;
}

/** A queue for each person would be many, and one for all of them rewritten with every change. */
const shards = 64;

/** What a person, and others with them, lent to steps of workflows. Nothing waits in it, as in the list of campaigns. */
export function grantsQueue(teamId: string, personId: string): string {
  return `grants/${teamId}/${shardOf(personId)}`;
}

/** All queues of what people lent. */
export function allGrantsQueues(teamId: string): string[] {
  return Array.from({ length: shards }, (_, number) => `grants/${teamId}/${number}`);
}

function shardOf(id: string): number {
  const [number = 0] = createHash('sha256').update(id).digest();
  return number % shards;
}

/** The answers to a quiz, as far as they are read. They are the account’s, whatever the workspace. */
export function answersQueue(quizId: string): string {
  return `answers/account/${Buffer.from(quizId).toString('base64url')}`;
}

/** A message that shows how far something is. @param id such as `campaign-1` for the board of campaign 1 */
export function liveQueue(teamId: string, id: string): string {
  return `live/${teamId}/${id}`;
}

/** Where the audit trail of a workspace is posted from. Nothing waits in it: the trail itself says what is to be posted. */
export function auditQueue(teamId: string): string {
  return `audit/${teamId}`;
}

/** The key of an owner of texts on the record (`domain/sealed-entry.ts`). Nothing waits in it, as in the list of campaigns. */
export function keyQueue(teamId: string, owner: string): string {
  return `key/${teamId}/${Buffer.from(owner).toString('base64url')}`;
}

/** The subscriptions of a workspace. Nothing waits in it, as in the list of campaigns. */
export function subscriptionsQueue(teamId: string): string {
  return `subscriptions/${teamId}`;
}

/** A request for approval, likewise. */
export function requestQueue(teamId: string, id: string): string {
  return `request/${teamId}/${id}`;
}

/** The list of the requests of a workspace whose outcome is not announced, likewise. */
export function requestsQueue(teamId: string): string {
  return `requests/${teamId}`;
}

/** Numbers that only grow, likewise. */
export function countersQueue(name: string): string {
  return `counters/${name}`;
}

/** The queues in which something can wait for a subscription. */
export function queuesOf({ teamId, channelId, delivery, id }: Subscription): string[] {
  return [channelQueue(teamId, channelId), ...(delivery.kind === 'digest' ? [digestQueue(teamId, id)] : [])];
}

/** The purpose of a queue; `id` is that of the channel or the subscription, or stands for the user. */
export function readQueue(queue: string): { kind: string; teamId: string; id: string } {
  const [kind = '', teamId = '', id = ''] = queue.split('/');
  return { kind, teamId, id };
}
