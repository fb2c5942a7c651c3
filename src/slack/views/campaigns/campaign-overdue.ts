import type { OperationResult } from '../../../operations/operation-result.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { actionList, type ListItem } from '../blocks/item-actions.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { moment } from '../blocks/moments.ts';
import { md, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';
import { nameList } from './campaign-counts.ts';

type Overdue = Extract<OperationResult, { kind: 'overdue' }>;

/** Of each campaign; its page has everyone. */
const namesAtMost = 20;

/** Who is overdue in each campaign that the reader sees. */
export function overdueMessage({ campaigns }: Overdue, offered: ReadonlySet<string>, timeZone: string): Message {
  if (campaigns.length === 0) return textMessage('✅', say`Nobody is overdue in a campaign that you can see.`);
  const people = new Set(campaigns.flatMap((one) => one.people.map(({ userId }) => userId))).size;
  const stepsFor = stepsBeside('campaign', 'list');
  const items = campaigns.map((one): ListItem => ({
    line: overdueLine(one, timeZone),
    actions: stepsFor(one.campaign),
  }));
  const heading = md`⏰ *${amount(people)} ${people === 1 ? 'person is' : 'people are'} overdue in ${countOf(campaigns.length, 'campaign', 'campaigns')}.*`;
  return actionList(heading, items, { offered, narrow: md`/quiz-campaign show` });
}

function overdueLine({ campaign, since, people }: Overdue['campaigns'][number], timeZone: string): Mrkdwn {
  const { quiz, standing } = campaign;
  const due = standing
    ? md`the first was due ${moment(new Date(since), timeZone)}`
    : md`was due ${moment(new Date(since), timeZone)}`;
  const names = people.map(({ name }) => name);
  return md`*${shownQuizName(quiz.name)}* · ${due} · ${nameList(names, { most: namesAtMost })}`;
}
