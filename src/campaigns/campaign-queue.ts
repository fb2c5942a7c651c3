import { personQueue } from '../domain/queue-names.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../domain/campaign.ts';
import type { CampaignMessage, NewQueueEntry, QueueEntry } from '../domain/queue-entry.ts';
import type { Log } from '../observability/log.ts';
import { attemptsOf } from '../operations/results/progress.ts';
import type { QuizResponse, Responses } from '../quiz-api/responses.ts';
import type { User } from '../quiz-api/users.ts';
import type { Outbox } from '../storage/storage.ts';
import { applyEvent } from './events.ts';
import { openMembers } from '../domain/campaign-members.ts';
import { nextStep, type CampaignStep } from './next-step.ts';
import type { Holidays } from '../time/working-hours.ts';

/** What the queue of a campaign stores beside its entries. */
export interface CampaignState {
  campaign: Campaign;
  /** When the responses were read last, in milliseconds since the epoch; 0 before. */
  askedAt: number;
}

/** What all messages of campaigns have in place of a subscription. */
export const campaignMessages = 'campaigns';

/** Events applied in one step. */
const eventsAtMost = 500;
const namesAtMost = 50;

/**
 * Carries a campaign on: applies what happened to it, and hands its messages over to the people's queues. A step and its
 * messages are stored together, so a crash neither loses a message nor doubles it.
 *
 * @returns runs a queue, and returns when to run it next (milliseconds since the epoch); undefined: when something happens
 */
export function createCampaignQueue(deps: {
  outbox: Pick<Outbox, 'waiting' | 'stateOf' | 'commit'>;
  responses: Pick<Responses, 'list'>;
  /** The users with these ids, as far as the account has them. */
  users: (userIds: readonly string[]) => Promise<readonly User[]>;
  holidays: Holidays;
  wake: (queue: string) => Promise<void>;
  log: Log;
  now: () => number;
}): (queue: string) => Promise<number | undefined> {
  const { outbox, log, now } = deps;

  return async (queue) => {
    const { version, state } = await outbox.stateOf<CampaignState>(queue);
    if (state === undefined) return undefined;
    const { campaign, askedAt } = state;
    const entries = await outbox.waiting(queue, { limit: eventsAtMost });
    if (entries.length > 0) return keep(eventsOf(entries), { remove: entries.map(({ position }) => position) });

    const step = nextStep(campaign, { now: now(), askedAt, holidays: deps.holidays });
    switch (step.kind) {
      case 'wait':
        return step.until;
      case 'ask':
        return keep(await readResults(campaign), { askedAt: now() });
      case 'end':
        return keep([{ kind: 'end', at: now() }]);
      case 'notify':
      case 'remind':
      case 'escalate':
        return keep([eventOf(step, now())], { put: messagesOf(step, campaign, now()) });
    }

    async function keep(events: readonly CampaignEvent[], change: { askedAt?: number; remove?: readonly number[]; put?: readonly NewQueueEntry[] } = {}): Promise<number> {
      const { put = [], remove } = change;
      const next: CampaignState = { campaign: events.reduce(applyEvent, campaign), askedAt: change.askedAt ?? askedAt };
      const isKept = await outbox.commit(queue, { version, state: next, isBusy: next.campaign.endedAt === null, put, ...(remove && { remove }) });
      if (!isKept) return now();
      for (const to of new Set(put.map((entry) => entry.queue))) {
        // The sweep wakes what is not woken here.
        await deps.wake(to).catch((error: unknown) => log.warn({ error }, 'a queue is woken later'));
      }
      return now();
    }
  };

  async function readResults(campaign: Campaign): Promise<CampaignEvent[]> {
    const [users, responses] = await Promise.all([
      deps.users(campaign.members.map(({ userId }) => userId)),
      deps.responses.list(campaign.quiz.id, { priority: 'background' }),
    ]);
    const attempts = attemptsOf(users, responses);
    return campaign.members.flatMap(({ userId }) => (attempts.get(userId) ?? []).flatMap((response) => resultEvent(userId, response)));
  }
}

function eventsOf(entries: readonly QueueEntry[]): CampaignEvent[] {
  return entries.flatMap(({ content }) => (content.kind === 'campaign-event' ? [content.event] : []));
}

function resultEvent(userId: string, { response_id: responseId, outcome, percentage_score: percentage, date_submitted }: QuizResponse): CampaignEvent[] {
  if (outcome === null) return [];
  return [{ kind: 'result', userId, responseId, result: { outcome, percentage, submittedAt: date_submitted?.getTime() ?? null } }];
}

type MessageStep = Extract<CampaignStep, { kind: 'notify' | 'remind' | 'escalate' }>;

function eventOf(step: MessageStep, at: number): CampaignEvent {
  if (step.kind === 'escalate') return { kind: 'escalated', at };
  return { kind: step.kind === 'notify' ? 'notified' : 'reminded', userIds: step.members.map(({ userId }) => userId), at };
}

function messagesOf(step: MessageStep, campaign: Campaign, at: number): NewQueueEntry[] {
  const { id: campaignId, teamId, quiz, ownerId, schedule, lead } = campaign;
  const dueAt = schedule.dueAt ?? null;
  const entryFor = (userId: string, content: CampaignMessage): NewQueueEntry => ({ queue: personQueue(teamId, userId), subscriptionId: campaignMessages, at, content });
  if (step.kind === 'escalate') {
    const names = step.missing.slice(0, namesAtMost).map(({ name }) => name);
    return [entryFor(lead.userId, { kind: 'campaign-escalation', campaignId, quizName: quiz.name, dueAt, names, missing: step.missing.length })];
  }
  const isReminder = step.kind === 'remind';
  return step.members.map(({ userId }) => entryFor(userId, { kind: 'campaign-notice', campaignId, quizId: quiz.id, quizName: quiz.name, by: ownerId, dueAt, isReminder }));
}

/** Whether a message is still to be posted when its turn comes: meanwhile the person can have taken the quiz. */
export function isStillWanted(message: CampaignMessage, state: CampaignState | undefined, userId: string): boolean {
  if (state === undefined || state.campaign.endedAt !== null) return false;
  if (message.kind === 'campaign-escalation') return openMembers(state.campaign).length > 0;
  return openMembers(state.campaign).some((member: CampaignMember) => member.userId === userId);
}
