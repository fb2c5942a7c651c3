import type { Campaign } from '../../../../src/domain/campaign.ts';
import { textOf } from '../../open-test-bed.ts';
import { campaignQuiz, personIdOf } from '../../process-campaign.ts';
import type { BotSurroundings } from '../../process-test-bed.ts';
import type { Load } from '../kill-test.ts';
import { untilDone } from '../../watchdog.ts';

/** A campaign that begins assigns its quiz to each of its people, and tells each of them once. */
export function firstMessagesLoad(
  { workspace, quizService: { database } }: BotSurroundings,
  { members }: Pick<Campaign, 'members'>,
): Load {
  const told = (userId: string) =>
    workspace
      .directMessages(personIdOf(userId))
      .filter((message) => message.text.startsWith('📝') && textOf(message).includes(campaignQuiz.name)).length;
  const assigned = () =>
    database.all<{ user_id: string }>('SELECT user_id FROM user_quizzes WHERE quiz_id = ?', [campaignQuiz.id]);
  const done = () => members.reduce((sum, { userId }) => sum + told(userId), 0);
  return {
    done,
    isWaiting: () => done() < members.length,
    over: () => untilDone(done, members.length),
    judge() {
      const users = new Set(assigned().map(({ user_id: id }) => id));
      const lost = members.filter(({ userId }) => told(userId) === 0 || !users.has(userId)).map(({ userId }) => userId);
      const doubled = members.filter(({ userId }) => told(userId) > 1).map(({ userId }) => userId);
      const strangers = [...users].filter((id) => members.every(({ userId }) => userId !== id));
      return {
        lost: lost.length,
        doubled: doubled.length,
        wrong: strangers.length,
        problems: Object.entries({
          'not told': lost,
          'told twice': doubled,
          'assigned though not asked': strangers,
        }).flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what}: ${ids.join(', ')}`])),
        figure: () => `${members.length} people of a campaign, ${lost.length} not told, ${doubled.length} told twice`,
      };
    },
  };
}
