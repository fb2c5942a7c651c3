import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import type { KnownBlock } from '@slack/types';
import type { Announcement, LateReport } from '../../../domain/announcement.ts';
import { notMyReport, ownStep } from '../../../features/campaigns/operations/own-answers.ts';
import { amount, say, joinSaid } from '../../../domain/said.ts';
import { buttonRow, stepButtons } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';
import { nameList } from '../../../features/campaigns/pages/words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

const quizzesAtMost = 10;
const namesAtMost = 40;

/** Tells a manager which of their people are late. It says nothing else about them. */
export function campaignReportsMessage({ people }: Of<'campaign-reports'>): Message {
  const heading =
    people.length === 1
      ? say`⏰ Someone who reports to you is late with a quiz.`
      : say`⏰ ${amount(people.length)} people who report to you are late with a quiz.`;
  const parts = people.map(reportBlocks);
  const build = (shown: number): Message => {
    const left = people.slice(shown).map(({ name }) => name);
    return {
      text: say`${heading} ${nameList(
        people.map(({ name }) => name),
        { most: namesAtMost },
      )}`,
      blocks: [
        section(heading),
        ...parts.slice(0, shown).flat(),
        ...(left.length > 0 ? [section(say`Also late: ${nameList(left, { most: namesAtMost })}`)] : []),
        context(say`You’re their manager in Slack, so you get this list once a week while someone is on it.`),
      ],
    };
  };
  return build(mostThat(people.length, (shown) => fitsSlack(build(shown))));
}

function reportBlocks({ userId, name, quizzes }: LateReport): KnownBlock[] {
  const named = joinSaid(
    quizzes.slice(0, quizzesAtMost).map(({ quizName }) => say`${shownQuizName(quizName)}`),
    ', ',
  );
  const more = quizzes.length - quizzesAtMost;
  const about = { user: [userId], campaigns: [quizzes.map(({ campaignId }) => campaignId).join(' ')] };
  return [
    section(say`*${listedName(name, true)}* · ${more > 0 ? say`${named} and ${amount(more)} more` : named}`),
    ...buttonRow(stepButtons([ownStep(say`Not my report`, notMyReport, about, 'row')], name)),
  ];
}
