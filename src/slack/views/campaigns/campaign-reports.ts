import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { Announcement, LateReport } from '../../../domain/announcement.ts';
import { amount, say } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { context, joinMrkdwn, md, notification, ownPlain, section, shortName, spoken } from '../blocks/mrkdwn.ts';
import { isRowOf, type Pressed } from '../blocks/pressed-button.ts';
import { listedName, shownQuizName } from '../blocks/shown-name.ts';
import { nameList } from './campaign-counts.ts';

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
const longestLabel = 75;
const quizzesAtMost = 10;
const namesAtMost = 40;

/** Tells a manager which of their people are late. It says nothing else about them. */
export function campaignReportsMessage({ people }: Of<'campaign-reports'>): Message {
  const heading =
    people.length === 1
      ? md`⏰ Someone who reports to you is late with a quiz.`
      : md`⏰ ${amount(people.length)} people who report to you are late with a quiz.`;
  const parts = people.map(reportBlocks);
  const build = (shown: number): Message => {
    const left = people.slice(shown).map(({ name }) => name);
    return {
      text: notification(
        md`${heading} ${nameList(
          people.map(({ name }) => name),
          { most: namesAtMost },
        )}`,
      ),
      blocks: [
        section(heading),
        ...parts.slice(0, shown).flat(),
        ...(left.length > 0 ? [section(md`Also late: ${nameList(left, { most: namesAtMost })}`)] : []),
        context(md`You’re their manager in Slack, so you get this list once a week while someone is on it.`),
      ],
    };
  };
  return build(mostThat(people.length, (shown) => fitsSlack(build(shown))));
}

function reportBlocks({ userId, name, quizzes }: LateReport): KnownBlock[] {
  const named = joinMrkdwn(
    quizzes.slice(0, quizzesAtMost).map(({ quizName }) => md`${shownQuizName(quizName)}`),
    ', ',
  );
  const more = quizzes.length - quizzesAtMost;
  const about = { userId, campaignIds: quizzes.map(({ campaignId }) => campaignId) };
  return [
    section(md`*${listedName(name, true)}* · ${more > 0 ? md`${named} and ${amount(more)} more` : named}`),
    ...buttonRow(
      answerButton(managerActionIds.notReport, say`Not my report`, about).map((button) => ({
        ...button,
        accessibility_label: spoken(`${button.text.text} ${shortName(name)}`, longestLabel),
      })),
    ),
  ];
}

function answerButton(actionId: string, text: string, about: ReportInCampaigns): Button[] {
  const value = JSON.stringify(about);
  return value.length > longestValue
    ? []
    : [{ type: 'button', action_id: actionId, text: ownPlain(text, longestLabel), value }];
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
    ? md`👍 *${listedName(name, true)}* is on your list again.`
    : md`↩️ You said that *${listedName(name, true)}* doesn’t report to you. The name goes to the lead from now on.`;
  return blocks.flatMap((block): KnownBlock[] =>
    isRowOf(block, pressed)
      ? [context(note), ...(isUndone ? [] : buttonRow(answerButton(managerActionIds.undo, say`Undo`, about)))]
      : [block],
  );
}
