import { named, countOf, say } from '../../../src/domain/said.ts';
import type { Plan } from '../../../src/domain/plan.ts';
import type { DueQuiz, TodayFacts } from '../../../src/features/administration/today.ts';
import type { AssignedQuizResult } from '../../../src/features/quizzes/own-quizzes.ts';
import { subscription } from './alerts.ts';
import { campaignMember, campaignOf, campaignResult, dayMs, monday } from './campaigns.ts';
import { approvalRequest } from './governance.ts';

/** Nothing needs the person. */
export function todayFacts(overrides: Partial<TodayFacts> = {}): TodayFacts {
  return {
    requests: [],
    campaigns: [],
    paused: [],
    previews: [],
    obligations: [],
    own: undefined,
    now: monday,
    ...overrides,
  };
}

export function dueQuiz(overrides: Partial<DueQuiz> = {}): DueQuiz {
  return {
    quizId: 'q-1',
    name: 'Food hygiene',
    dueAt: monday + 2 * dayMs,
    takeUrl: 'https://quiz.example/take/q-1',
    ...overrides,
  };
}

/** Of the person: to be taken. */
export function assignedQuiz(overrides: Partial<AssignedQuizResult> = {}): AssignedQuizResult {
  return {
    quiz_id: 'q-1',
    name: 'Food hygiene',
    date_assigned: '2026-11-03 09:00:00',
    response_id: null,
    date_submitted: null,
    points: null,
    available_points: null,
    percentage_score: null,
    grade: '',
    pass: null,
    duration: null,
    attempt: null,
    status: null,
    outcome: null,
    isDue: true,
    takeUrl: 'https://quiz.example/take/q-1',
    earlier: [],
    ...overrides,
  };
}

/** An import that was worked out and not started. */
export function openPreview(name = 'new-hires.csv'): Plan {
  return {
    id: 'p-1',
    teamId: 'T1',
    personId: 'UTOM',
    createdAt: monday,
    content: {
      kind: 'batch',
      operation: 'import-users',
      action: say`${say`create ${countOf(20, 'user', 'users')}`} from ${named(name)}`,
      rows: [],
      approval: null,
      imported: { source: name, hasLines: true, counts: { create: 20 }, problems: [], privileged: [], notices: [] },
    },
  };
}

/** A campaign of each kind that needs somebody; `name`: of its quiz. */
export function needyCampaigns(name?: string) {
  const of = (id: string, quizName: string) => ({ id, quiz: { id: `q-${id}`, name: name ?? quizName } });
  const due = (ms: number) => ({ dueAt: monday + ms });
  return {
    missed: campaignOf({
      ...of('missed', 'Workplace safety'),
      ...due(-2 * dayMs),
      members: ['rosa', 'kim', 'lea'].map((id) => campaignMember(id)),
    }),
    reminding: campaignOf({
      ...of('reminding', 'Ladders'),
      ...due(-3 * dayMs),
      remindNowAt: monday - 3_600_000,
      members: [campaignMember('rosa')],
    }),
    unreachable: campaignOf({
      ...of('unreachable', 'Forklifts'),
      ...due(-dayMs),
      members: [campaignMember('rosa', { personId: null })],
    }),
    dueSoon: campaignOf({
      ...of('due-soon', 'Food hygiene'),
      ...due(4 * dayMs),
      members: Array.from({ length: 9 }, (_, index) => campaignMember(`u${index}`)),
    }),
    notTheirs: campaignOf({
      ...of('not-theirs', 'Data protection'),
      members: [campaignMember('rosa', { saidNotMeAt: monday - dayMs }), campaignMember('kim')],
    }),
    toMark: campaignOf({
      ...of('to-mark', 'Essay'),
      members: [campaignMember('rosa', { result: campaignResult('unmarked') }), campaignMember('kim')],
    }),
    closed: campaignOf({
      ...of('closed', 'Fire safety'),
      ...due(-dayMs),
      obstacle: { status: 'closed', since: monday - dayMs, by: null },
    }),
    gone: campaignOf({ ...of('gone', 'Old course'), obstacle: { status: 'gone', since: monday, by: null } }),
    done: campaignOf({
      ...of('done', 'First aid'),
      ...due(-dayMs),
      members: [campaignMember('rosa', { result: campaignResult('passed') })],
    }),
    quiet: campaignOf(of('quiet', 'Later')),
  };
}

/** A line of every kind. */
export function needyFacts(name?: string): TodayFacts {
  return todayFacts({
    requests: [approvalRequest({ expiresAt: monday + dayMs })],
    campaigns: Object.values(needyCampaigns(name)),
    paused: [subscription({ pause: { since: monday - dayMs, until: null, by: null, code: 'is_archived' } })],
    previews: [openPreview(name)],
    obligations: [
      dueQuiz({ quizId: 'q-late', name: name ?? 'Manual handling', dueAt: monday - dayMs }),
      dueQuiz({ name: name ?? 'Food hygiene' }),
    ],
    own: {
      quizzes: [assignedQuiz({ quiz_id: 'q-own', name: name ?? 'Survey' })],
      leftOut: 0,
      isStillReading: false,
    },
  });
}
