import { createHash } from 'node:crypto';
import type { BatchEvent } from './batch.ts';
import type { CampaignEvent } from './campaign.ts';
import type { EarlierResult, Result } from './result.ts';
import type { Note } from './note.ts';
import type { OutcomeCounts } from './submission-outcome.ts';
import type { WorkflowEvent } from './workflow.ts';
import type { Subscription } from './subscription.ts';

/** A submitted quiz as it is announced: name and result, and nothing else of the person. */
export interface Submission extends Result {
  quizId: string;
  quizName: string;
  responseId: string;
  /** Of the respondent, where they are a user of the account; those that 1.7 stored lack it. */
  userId?: string;
  name: string;
  /** Milliseconds since the epoch; null where the service does not tell. */
  submittedAt: number | null;
  /** No webhook came for it: the backfill found it. */
  isBackfilled: boolean;
  /** What was announced of it before, where the service has reported something else since. */
  corrects?: EarlierResult;
}

/** The submissions of a period, summed up. */
export interface Digest {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** The quiz with most submissions first. */
  quizzes: readonly DigestOfQuiz[];
}

export interface DigestOfQuiz extends OutcomeCounts {
  quizId: string;
  quizName: string;
  /** Percent; null where nothing is graded. */
  mean: number | null;
  /** The week before, where the service answered. `graded` is the number of responses in the mean. */
  weekBefore?: { graded: number; mean: number | null };
  /** Percentages of the graded submissions. */
  percentages: readonly number[];
  /** Names of the people who failed. */
  failedNames: readonly string[];
}

/** Something that waits in a queue. */
export interface QueueEntry {
  /** Its place in the queue; grows from entry to entry. */
  position: number;
  subscriptionId: string;
  /** When it was put there, in milliseconds since the epoch. */
  at: number;
  content: ChannelContent | PersonContent | EventMail | RefreshContent | AnsweredContent;
}

type ChannelContent = { kind: 'submission'; submission: Submission } | { kind: 'digest'; digest: Digest };

/** A direct message to a user of the quiz account. The queue names the user. */
type PersonContent =
  /** `by`: the person of the platform who assigned the quiz. `groupId`: the user has it through this group. */
  | { kind: 'assigned'; quizId: string; quizName: string; by: string; groupId?: string }
  /** `reportUrl`: the service's page about the response, where it states one. */
  | { kind: 'own-result'; submission: Submission; reportUrl?: string }
  /**
   * A user was created for the person, who can set the password. `by`: the person who had it created. `of`: the row of the
   * batch that created the user; the batch gets to know when the message cannot be sent.
   */
  | { kind: 'own-password'; by: string; of?: { batchId: string; row: number } }
  | { kind: 'note'; note: Note }
  /** For who answers for campaigns, on Monday. What it says is found out when it is posted. */
  | { kind: 'week' }
  | CampaignMessage;

/** What a campaign tells a person. `dueAt` is in milliseconds since the epoch; null: there is no due time. */
export type CampaignMessage =
  | {
      kind: 'campaign-notice';
      campaignId: string;
      quizId: string;
      quizName: string;
      by: string;
      dueAt: number | null;
      isReminder: boolean;
      /** They took it, and did not pass. */
      hasFailed?: true;
      /** When the validity of what they passed ends, or ended, where the campaign stands. */
      validUntil?: number;
      /** The due time that they were told before, where it is another now; null for none. */
      dueWas?: number | null;
      /** They said that the quiz is not for them, and it is. */
      isForThem?: true;
      /** With the first message alone, as in `Campaign`. */
      words?: string;
      takesMinutes?: number;
    }
  /** For the lead: who has not taken the quiz. `names` holds the first of them; `unreached`: others, whom no message reaches. `ownQuizId`: the quiz, where the lead is among them. */
  | {
      kind: 'campaign-escalation';
      campaignId: string;
      quizName: string;
      dueAt: number | null;
      names: readonly string[];
      missing: number;
      unreached?: { names: readonly string[]; count: number };
      ownQuizId?: string;
    }
  /** For a manager: people of theirs are late. Who that is, the campaign says when the message is posted. */
  | { kind: 'campaign-reports'; campaignId: string; quizName: string }
  /** For who answers for it, until it is over. `untilTakenIn`: or nobody waits to be taken in any more. */
  | { kind: 'note'; note: Note; campaignId: string; untilTakenIn?: true };

/** An event that the bot is to know: a webhook, or a submission that the bot found by itself. */
export interface NewEvent {
  id: string;
  /** The response it reports, `<quiz id>/<response id>`. Empty where it reports none, and for a hint: the service may not know that response. */
  subject: string;
  /** No webhook came: the bot found the response itself. */
  isBackfilled: boolean;
  /** Milliseconds since the epoch. */
  takenAt: number;
  /** The work that the event requires; undefined: none. */
  content: EventContent | undefined;
  /** What the event says of its subject, as a text; undefined where it says nothing that could change. */
  result?: string;
  /** What was known of the subject, and the event says otherwise. */
  replaces?: string;
}

/** A submission to announce, or a hint at one, of which the service has to be asked first. Nothing else of a webhook's body is kept. */
export type EventContent =
  | { kind: 'submission'; submission: Submission; respondent?: Respondent }
  | { kind: 'hint'; quizId: string; responseId: string };

/** The user of the quiz account who submitted a response, with the service's page about it where it states one. */
export interface Respondent {
  userId: string;
  reportUrl?: string;
}

/** What happens to what has a mailbox of its own, by its kind. The queue names which one it is. */
export interface Events {
  campaign: CampaignEvent;
  batch: BatchEvent;
  /** Of a run of a workflow’s step, or of those that wait for results. */
  workflow: WorkflowEvent;
  /** Of the people of a workspace. */
  departure: DepartureEvent;
  erasing: ErasingEvent;
  /** What cannot be taken at once: a hint, or a submission that came before the workspace was known. */
  inbox: NewEvent & { content: EventContent };
}

export type EventMail = { [Kind in keyof Events]: { kind: `${Kind}-event`; event: Events[Kind] } }[keyof Events];

/** A live message shows something that has changed, or attempts at a quiz have. */
interface RefreshContent {
  kind: 'refresh';
  /** It is drawn again even if it shows the same: its readers have another language. */
  isAnew?: true;
}

/** Answers that a webhook brought with their attempt. */
interface AnsweredContent extends Answered {
  kind: 'answered';
  id: string;
  points: number | null;
}

/** An entry before it has its place. */
export type NewQueueEntry = Omit<QueueEntry, 'position'> & { queue: string };

/** A person whom the bot is to erase, as far as they are known. */
export interface PersonToErase {
  /** Of the quiz account. */
  userId: string;
  /** Of the platform. */
  personId?: string;
  /** User names and e-mail addresses. */
  addresses: readonly string[];
}

/** What happens to the erasing of a person. `go on`: the account can be asked whether their user is deleted. */
export type ErasingEvent = { kind: 'begin'; person: PersonToErase; by: string } | { kind: 'go on' };

export type DepartureReader = { channelId: string } | { personId: string };

/** Users of the account who have left the platform and were active in the account then. Its messages are changed in place. */
export interface DepartureList {
  id: string;
  /** Milliseconds since the epoch, as all times here. */
  postedAt: number;
  /** Each has a message of their own. */
  readers: readonly DepartureReader[];
  /** Empty where they are too many to be leavers: then they are counted, and nobody is named. */
  people: readonly { userId: string; name: string; leftAt: number }[];
  mass: { count: number; of: number } | null;
}

export type DepartureEvent =
  /** The platform said that a person has changed. It may be late, or repeated. */
  { kind: 'person-changed'; personId: string } | { kind: 'dismiss'; listId: string; userIds: readonly string[] };

/** A question with the words of its latest version. What is chosen of it is kept by the place of the option. */
export interface KnownQuestion {
  id: string;
  version: number;
  text: string;
  categories: readonly string[];
  options: readonly { id: string; text: string; isRight: boolean }[];
}

/**
 * The answers of an attempt, as they are kept: one text, with a word for each question in the order in which they became known,
 * between spaces. Nothing that was typed is among them.
 *
 * | Word | Meaning |
 * |---|---|
 * | none | the attempt hasn’t the question |
 * | `+` | right |
 * | `-` | wrong, or right in part, and the options that were chosen: `-02` |
 * | `a`, `n` | answered, or not, where nobody is right or wrong: free text, uploads, surveys |
 */
export interface Answered {
  /** Those that are known then. */
  questions: readonly KnownQuestion[];
  answers: string;
}

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
