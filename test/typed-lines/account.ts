import { campaignOf } from '../support/builders/campaigns.ts';
import { openHouse } from '../support/house.ts';
import { quizUser } from '../support/builders/users.ts';
import { subscription } from '../support/builders/alerts.ts';
import { respondents, sampleGroups, staff } from '../../src/sandbox/quiz-service/sample/account.ts';
import type { Quiz } from '../../src/quiz-api/records.ts';

/** Wednesday, 25 November 2026, 11:00 in Berlin. */
const now = Date.parse('2026-11-25T10:00:00Z');
export const timeZone = 'Europe/Berlin';

const quiz = (quiz_id: string, name: string, more: Partial<Quiz> = {}): Quiz => ({
  quiz_id,
  name,
  status: 'open',
  date_created: new Date('2025-03-03T10:00:00Z'),
  ...more,
});

/** The sample account of the sandbox, two quizzes called “Ladder check”, two users called Kim Lee, a campaign and a subscription. */
export function openAccountOfLines() {
  const account = openHouse({
    subscriptions: [
      {
        subscription: subscription({ channelId: 'C0TRAINING', quiz: { id: 'q-food', name: 'Food hygiene, level 2' } }),
        waiting: 0,
      },
    ],
  });
  account.clock.now = now;
  const { users, quizzes, groups } = account.account;
  const known = sampleGroups.map((group_name, index) => ({ group_id: `g-${index}`, group_name }));
  groups.splice(0, groups.length, ...known);
  users.splice(
    0,
    users.length,
    ...[...staff, ...respondents].map((person) =>
      quizUser({
        email_address: '',
        ...person,
        user_id: `u-${person.first_name.toLowerCase()}`,
        groups: known.filter(({ group_name }) => group_name === person.organization),
      }),
    ),
    ...['kim.lee@quiz.example', 'kim2@quiz.example'].map((user_name, index) =>
      quizUser({
        user_id: `u-kim${index}`,
        user_name,
        email_address: '',
        first_name: 'Kim',
        last_name: 'Lee',
        groups: [known[index]!],
      }),
    ),
  );
  quizzes.splice(
    0,
    quizzes.length,
    quiz('q-workplace', 'Workplace safety basics'),
    quiz('q-food', 'Food hygiene, level 2'),
    quiz('q-data', 'Data protection refresher'),
    quiz('q-onboarding', 'Onboarding, week 1'),
    quiz('q-forklift', 'Forklift theory test'),
    quiz('q-fire', 'Fire wardens, spring course'),
    quiz('q-aid', 'First aid at work', { status: 'closed' }),
    quiz('q-ladder-1', 'Ladder check'),
    quiz('q-ladder-2', 'Ladder check', { status: 'in_design', date_created: new Date('2026-11-09T10:00:00Z') }),
  );
  const campaign = campaignOf({ quiz: { id: 'q-workplace', name: 'Workplace safety basics' } });
  const campaigns = {
    all: async () => [{ ...campaign, leads: [] }],
    byId: async (id: string) => (id === campaign.id ? campaign : undefined),
    start: async () => ({ id: campaign.id, isNew: true }),
    takeIn: async () => {},
    put: async () => {},
    putRead: async () => {},
    readNow: async () => {
      throw new Error('no line reads how a campaign is');
    },
    offer: async () => true,
    handOver: async () => true,
    noticedAt: async () => new Map<string, never>(),
    withRule: () => ({ campaign, sooner: [] }),
  };
  return { ...account, campaigns };
}
