import type { Campaign } from '../../src/domain/campaign.ts';
import { formatDate } from '../../src/sandbox/quiz-service/database.ts';
import { addGroup, assign } from '../../src/sandbox/quiz-service/store/assignments.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse, markStarted, markSubmitted } from '../../src/sandbox/quiz-service/store/responses.ts';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { standingRule } from './builders/campaigns.ts';
import { addMembers, campaignFor, membersFor } from './process-campaign.ts';
import type { ProcessTestBed } from './process-test-bed.ts';

const dayMs = 24 * 60 * 60_000;
const groupId = '20000000-0000-4000-8000-00000000c001';

export const standingQuiz = (number: number) => ({
  id: `10000000-0000-4000-8000-00000001${String(number).padStart(4, '0')}`,
  name: `Duty ${number}`,
});

/**
 * Campaigns that stand, for the same group of people who have all passed their quizzes: nothing happens in them.
 *
 * @param options.hasBoards whether each has a board
 */
export function standingCampaigns(
  count: number,
  { people, startedAt, hasBoards = false }: { people: number; startedAt: number; hasBoards?: boolean },
): Campaign[] {
  const members = membersFor(people, { zones: ['Etc/UTC'], addedAt: startedAt, notifiedAt: startedAt - dayMs });
  return Array.from({ length: count }, (_, index) =>
    campaignFor(members, {
      ...standingRule,
      id: `standing-${index + 1}`,
      quiz: standingQuiz(index + 1),
      audience: [`group:${groupId}`],
      startedAt,
      ...(hasBoards && { board: { channelId: channels.training.id, showsNames: true } }),
    }),
  );
}

/** Adds their quizzes, their group with its people, and an attempt of each at each quiz that they passed the day before the start. */
export function addStanding(
  campaigns: readonly Campaign[],
  testBed: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
): void {
  const { database } = testBed.quizService;
  const [first] = campaigns;
  if (first === undefined) return;
  database.transaction(() => {
    addMembers(first, testBed);
    addGroup(database, { group_id: groupId, group_name: 'Duty' });
    for (const { userId } of first.members) assign(database, 'user_groups', { user_id: userId, group_id: groupId });
    for (const { quiz, members, startedAt } of campaigns) {
      addQuiz(database, { quiz_id: quiz.id, name: quiz.name, status: 'open', date_created: '2026-01-01 00:00:00' });
      assign(database, 'group_quizzes', { quiz_id: quiz.id, group_id: groupId });
      for (const { userId, name } of members) addPass(database, quiz.id, { userId, name, at: startedAt - dayMs });
    }
  });
}

function addPass(
  database: ProcessTestBed['quizService']['database'],
  quizId: string,
  { userId, name, at }: { userId: string; name: string; at: number },
): void {
  const responseId = `${quizId.slice(-5)}-${userId}`;
  addResponse(database, {
    response_id: responseId,
    quiz_id: quizId,
    user_id: userId,
    first_name: 'Member',
    last_name: name,
    email_address: `${userId}@quiz.example`,
    attempt: 1,
    ip_address: '198.51.100.1',
    publish_type: 'assigned_user',
    access_code: '',
    registration_fields: [],
  });
  markStarted(database, responseId, 1, at);
  markSubmitted(database, responseId, {
    points: 9,
    available_points: 10,
    percentage_score: 90,
    grade: 'A',
    pass: true,
    date_submitted: formatDate(at + 600_000),
    duration: 600,
  });
}
