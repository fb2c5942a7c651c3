import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Announcement, LateReport } from '../../../domain/announcement.ts';
import { amount, say, joinSaid, asSaid } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { context, section, plain } from '../blocks/mrkdwn.ts';
import { isRowOf, type Pressed } from '../blocks/pressed-button.ts';
import { nameList } from '../../../features/campaigns/pages/words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** The action IDs of the buttons with which a manager answers a list of late people. */
export const managerActionIds = {
  notReport: 'reports:not-mine',
  undo: 'reports:undo',
} as const;

/** What a button of a manager is about: a member of campaigns. Who may answer is decided at the press. */
export interface ReportInCampaigns {
  userId: string;
  campaignIds: readonly string[];
}

/** Answers a manager whose press changes nothing. */
export const notTheirsWords = say`They aren’t on your list any more: they took the quiz, were excused, or have another manager in Slack.`;

/** Slack’s limits for a button’s value, and for what a screen reader reads instead of its text. */
const longestValue = 2_000;
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
  const about = { userId, campaignIds: quizzes.map(({ campaignId }) => campaignId) };
  return [
    section(say`*${listedName(name, true)}* · ${more > 0 ? say`${named} and ${amount(more)} more` : named}`),
    ...buttonRow(
      answerButton(managerActionIds.notReport, say`Not my report`, about).map((button) => ({
        ...button,
        accessibility_label: `${button.text.text} ${shortName(name)}`,
      })),
    ),
  ];
}

function answerButton(actionId: string, text: string, about: ReportInCampaigns): Button[] {
  const value = JSON.stringify(about);
  return value.length > longestValue ? [] : [{ type: 'button', action_id: actionId, text: plain(asSaid(text)), value }];
}

const reportInCampaigns = z.object({ userId: z.string(), campaignIds: z.array(z.string()) });

/** Reads the value of a button. */
export function readReportInCampaigns(value: string | undefined): ReportInCampaigns {
  return reportInCampaigns.parse(JSON.parse(value ?? ''));
}

/** The blocks of the list after the manager said that somebody is not their report, or took that back. */
export function afterNotReport(
  blocks: readonly KnownBlock[],
  pressed: Pressed,
  name: string,
  about: ReportInCampaigns,
): KnownBlock[] {
  const isUndone = pressed.action_id === managerActionIds.undo;
  const note = isUndone
    ? say`👍 *${listedName(name, true)}* is on your list again.`
    : say`↩️ You said that *${listedName(name, true)}* doesn’t report to you. The name goes to the lead from now on.`;
  return blocks.flatMap((block): KnownBlock[] =>
    isRowOf(block, pressed)
      ? [context(note), ...(isUndone ? [] : buttonRow(answerButton(managerActionIds.undo, say`Undo`, about)))]
      : [block],
  );
}
