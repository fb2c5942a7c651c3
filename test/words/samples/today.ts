import { todayPage } from '../../../src/features/administration/pages/today.ts';
import { closeQuiz } from '../../../src/features/quizzes/open-and-close.ts';
import { undoPage } from '../../../src/features/administration/take-back.ts';
import { asSaid, joinSaid, say } from '../../../src/domain/said.ts';
import { runStep } from '../../../src/operations/page.ts';
import { todayFrom, type TodayFacts } from '../../../src/features/administration/today.ts';
import { offeredBy } from '../../../src/governance/rights/policy.ts';
import type { Right } from '../../../src/operations/context.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { dueQuiz, needyCampaigns, needyFacts, openPreview, todayFacts } from '../../support/builders/today.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { campaignMember, dayMs, monday, standingCampaign } from '../../support/builders/campaigns.ts';
import { moment } from '../../../src/time/date-words.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Sample } from '../sample.ts';

const trainer: readonly Right[] = ['known', 'staff', 'edit_quizzes'];

function today(rights: readonly Right[], facts: Partial<TodayFacts>, isReply = false): Message {
  const offered = offeredBy(new Set(rights));
  const example = isReply ? undefined : 'Food hygiene';
  return drawn(todayPage({ today: todayFrom(todayFacts(facts)), example, isReply }, offered), offered);
}

const { missed, reminding, unreachable, dueSoon, notTheirs, toMark, closed, gone } = needyCampaigns();
const alone = [campaignMember('rosa')];

export const samples: readonly Sample[] = [
  {
    when: '/quiz undo: what can be undone',
    shown: drawn(
      undoPage([
        {
          lines: [
            say`${asSaid(closeQuiz.submit)}: ${joinSaid([say`*${'Food hygiene'}*`], ', ')} · ${moment(Date.UTC(2026, 10, 20, 9))}`,
          ],
          steps: [runStep(say`Open again`, { name: 'open-quiz' }, {})],
        },
      ]),
    ),
  },
  { when: '/quiz undo: nothing can be undone', shown: drawn(undoPage([])) },
  {
    when: 'A trainer with campaigns that need them',
    shown: today(trainer, { campaigns: [missed, unreachable, dueSoon, notTheirs, toMark] }),
  },
  {
    when: 'A trainer whose people are being reminded, and whose campaigns stand still',
    shown: today(trainer, {
      campaigns: [reminding, closed, gone],
      paused: ['is_archived', 'channel_shared'].map((code) =>
        subscription({ pause: { since: monday - dayMs, until: null, by: null, code } }),
      ),
      previews: [openPreview()],
    }),
  },
  {
    when: 'A trainer with one person missing',
    shown: today(trainer, {
      campaigns: [
        { ...missed, members: alone },
        { ...dueSoon, members: alone },
      ],
    }),
  },
  { when: 'A trainer with more than fits', shown: today(trainer, { ...needyFacts(), own: undefined }) },
  {
    when: 'A respondent with quizzes to take',
    shown: today(['known'], {
      obligations: [
        dueQuiz({ quizId: 'q-late', name: 'Manual handling', dueAt: monday - dayMs }),
        dueQuiz(),
        dueQuiz({ quizId: 'q-any', name: 'Team survey', dueAt: undefined, takeUrl: undefined }),
      ],
    }),
  },
  {
    when: 'A respondent whose pass ends, and one whose pass has ended',
    shown: today(['known'], {
      obligations: [
        dueQuiz({ dueAt: monday + 10 * dayMs, validUntil: monday + 10 * dayMs }),
        dueQuiz({ quizId: 'q-over', name: 'Manual handling', dueAt: monday - dayMs, validUntil: monday - dayMs }),
      ],
    }),
  },
  {
    when: 'A trainer whose campaign stands',
    shown: today(trainer, {
      campaigns: [
        standingCampaign({ members: [campaignMember('gus', { addedAt: monday - 10 * dayMs })] }),
        standingCampaign(),
      ],
    }),
  },
  {
    when: 'A respondent with more quizzes than fit',
    shown: today(['known'], {
      obligations: Array.from({ length: 7 }, (_, index) => dueQuiz({ quizId: `q-${index}` })),
    }),
  },
  { when: 'A trainer without anything to do', shown: today(trainer, {}) },
  { when: 'A respondent without anything to do', shown: today(['known'], {}) },
  {
    when: 'A trainer writes to the bot what is no command',
    shown: today(trainer, { campaigns: [missed] }, true),
  },
];
