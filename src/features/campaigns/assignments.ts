import { startCampaign } from './operations/start-campaign.ts';
import type { BatchPlan, BatchProgress, BatchRow, BatchState, RowOutcome } from '../../domain/batch.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../domain/campaign.ts';
import type { CampaignPlan, PlannedMember } from '../../domain/campaign-plan.ts';
import type { NewQueueEntry } from '../../domain/queues.ts';
import { named, say } from '../../domain/said.ts';
import { neededFrom } from '../../obligations/people.ts';
import { rowOf } from '../../operations/define-plan.ts';
import { assignQuiz } from '../quizzes/assign-and-unassign.ts';
import { boardId } from './messages.ts';
import { lackingWords } from './pages/words.ts';

/** The batches that assign quizzes, as campaigns work with them. */
export interface Assignments {
  /**
   * Makes a batch.
   *
   * @param start.by the person by whose rights it runs
   * @param start.approvedBy as in `Batch`
   * @param start.liveId the live message that shows its progress
   * @returns its ID, and the entries that start it
   */
  startBatch(
    teamId: string,
    plan: BatchPlan,
    start: { by: string; approvedBy?: string; liveId: string | null },
  ): Promise<{ batchId: string; entries: readonly NewQueueEntry[] }>;
  /** The rows of a batch with their outcomes; undefined for a batch that has not begun. */
  rowsOf(
    teamId: string,
    batchId: string,
  ): Promise<{ state: BatchState; rows: readonly { row: BatchRow; outcome: RowOutcome }[] } | undefined>;
  progressOf(teamId: string, batchId: string): Promise<BatchProgress | undefined>;
}

/**
 * What becomes of people who come into a campaign. Those who lack its quiz wait for a batch that assigns it, which begins when its
 * entries are put.
 *
 * @param how.by the person by whose rights it is assigned
 * @param how.at when they come in, in milliseconds since the epoch
 */
export async function comingIn(
  { id, teamId, quiz, rule: { board, standing } }: Pick<Campaign, 'id' | 'teamId' | 'quiz' | 'rule'>,
  {
    members: people,
    assign,
    areNamed = false,
  }: Pick<CampaignPlan, 'assign'> & { members: readonly NewMember[]; areNamed?: boolean },
  { by, approvedBy, at, startBatch }: Pick<Assignments, 'startBatch'> & { by: string; approvedBy?: string; at: number },
) {
  const toAssign = assigningPlan(quiz, assign);
  const who = { by, approvedBy };
  const batch = toAssign && (await startBatch(teamId, toAssign, { ...who, liveId: board && boardId(id) }));
  const isForLater = ({ obligation }: NewMember) =>
    standing !== null && obligation !== undefined && (obligation === null || neededFrom(obligation) > at);
  const members = people.map((person): CampaignMember => ({
    ...newMember(person, at),
    assignment: isForLater(person) ? 'later' : isToBeAssigned(person, assign) ? 'waiting' : 'has',
  }));
  const join = { kind: 'join', members, at, areNamed, batchId: batch?.batchId } as const;
  return { members, join, batch };
}

/** `obligation`: null of somebody who lacks the quiz, as long as it is not known what they have passed. */
type NewMember = Pick<CampaignMember, 'userId' | 'name' | 'groups' | 'personId' | 'timeZone'> & {
  obligation?: PlannedMember['obligation'] | null;
};

/** Somebody of whom the campaign knows nothing yet. */
function newMember({ userId, name, groups, personId, timeZone }: NewMember, addedAt: number): CampaignMember {
  return {
    userId,
    name,
    groups,
    personId,
    away: null,
    timeZone,
    stays: [{ from: addedAt }],
    messages: [],
    snoozedUntil: null,
    remindNowAt: null,
    attempts: [],
    excused: null,
    saidNotMeAt: null,
    askAgainAt: null,
    managerId: null,
    notReportOf: [],
    assignment: 'has',
  };
}

/** The batch that assigns a campaign’s quiz, groups first; undefined where everybody has it. */
export function assigningPlan(
  quiz: Campaign['quiz'],
  { groups, users }: CampaignPlan['assign'],
): BatchPlan | undefined {
  const whom = lackingWords({ groups, users });
  if (whom === undefined) return undefined;
  const to =
    (kind: 'user' | 'group') =>
    ({ id, name }: { id: string; name: string }): BatchRow =>
      rowOf(
        assignQuiz.name,
        { quiz: [quiz.id], to: [`${kind}:${id}`] },
        { name, words: say`gets the quiz`, userId: kind === 'user' ? id : undefined },
      );
  return {
    kind: 'batch',
    operation: startCampaign.name,
    action: say`assign ${named(quiz.name)} to ${whom}`,
    rows: [...groups.map(to('group')), ...users.map(to('user'))],
    approval: null,
  };
}

/** Whether a member gets the quiz by the batch of a plan. */
function isToBeAssigned(
  { userId, groups }: Pick<PlannedMember, 'userId' | 'groups'>,
  assign: CampaignPlan['assign'],
): boolean {
  return assign.users.some(({ id }) => id === userId) || assign.groups.some(({ name }) => groups.includes(name));
}

/**
 * Which of the members who wait for the quiz have it by now, which do not get it, and whether the batch has stopped. A member gets
 * it by a row of their own or of a group of theirs.
 */
export function assignmentEvents(
  { members, assigning }: Campaign,
  batch: NonNullable<Awaited<ReturnType<Assignments['rowsOf']>>>,
): CampaignEvent[] {
  const outcomes = new Map(
    batch.rows.flatMap(({ row, outcome }) =>
      row.kind === 'none'
        ? []
        : [[row.userId === undefined ? `group ${row.name}` : `user ${row.userId}`, outcome] as const],
    ),
  );
  const isOver = batch.state === 'finished' || batch.state === 'cancelled';
  const stateOf = ({ userId, groups }: CampaignMember) => {
    const own = [`user ${userId}`, ...groups.map((name) => `group ${name}`)].flatMap(
      (key) => outcomes.get(key)?.kind ?? [],
    );
    if (own.some((kind) => kind === 'done' || kind === 'same')) return 'assigned';
    return isOver || own.every((kind) => kind === 'failed' || kind === 'skipped') ? 'not-assigned' : 'waiting';
  };
  const states = Map.groupBy(
    members.filter(({ assignment }) => assignment === 'waiting'),
    stateOf,
  );
  const isStopped = batch.state === 'stopped';
  return [
    ...(['assigned', 'not-assigned'] as const).flatMap((kind) => {
      const userIds = states.get(kind)?.map(({ userId }) => userId) ?? [];
      return userIds.length === 0 ? [] : [{ kind, userIds }];
    }),
    ...(isStopped === (assigning?.isStopped ?? false) ? [] : [{ kind: 'assigning', isStopped } as const]),
  ];
}
