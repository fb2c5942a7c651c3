import type { KnownBlock } from '@slack/types';
import { remindPeople } from '../../../features/campaigns/operations/remind-people.ts';
import { showMatrix } from '../../../features/campaigns/operations/show-matrix.ts';
import { listDue } from '../../../features/results/list-due.ts';
import { formStep, runStep } from '../../../operations/next-step.ts';
import type { DuePerson, OperationResult } from '../../../operations/operation-result.ts';
import { obligationWords } from '../../../features/campaigns/operations/obligation-words.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import { fitsSlack, mostThat, type Message } from '../blocks/message.ts';
import { shortDay } from '../blocks/moments.ts';
import { context, joinMrkdwn, md, section, sections, shortName, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { listedName, shownQuizName } from '../blocks/shown-name.ts';
import { obligationIcons } from '../campaigns/obligation-lines.ts';
import { progressWords } from './missing.ts';

type Due = Extract<OperationResult, { kind: 'due' }>;

const linesAtMost = 100;
/** A button has room for the IDs of so many people. */
const remindedAtMost = 30;
/** Quizzes in the line of a person; it says how many more there are. */
const quizzesInLine = 6;

/** Everything that the people of a group still have to take. */
export function dueMessage(result: Due, offered: ReadonlySet<string>, timeZone: string): Message {
  const { group, people, due, now } = result;
  const name = md`*${shortName(group.group_name)}*`;
  const heading =
    people === 0
      ? md`📭 Nobody is in ${name}.`
      : due.length === 0
        ? md`✅ Nobody in ${name} has anything left to take, as far as was looked at.`
        : md`⏳ ${amount(due.length)} of ${countOf(people, 'person', 'people')} in ${name} ${due.length === 1 ? 'has' : 'have'} something left to take.`;
  const dayOf = (moment: number) => shortDay(new Date(moment), now, timeZone);
  const lines = due.slice(0, linesAtMost).map((person) => lineOf(person, dayOf));
  const build = (most: number): Message => ({
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(lines.slice(0, most)),
      ...(due.length > most ? [context(md`…and ${amount(due.length - most)} more.`)] : []),
      ...below(result, offered),
    ],
  });
  return build(mostThat(lines.length, (most) => fitsSlack(build(most))));
}

function lineOf({ name, obligations, assigned }: DuePerson, dayOf: (moment: number) => string): Mrkdwn {
  const parts = [
    ...obligations.map(
      ({ quiz, obligation }) =>
        md`${obligationIcons[obligation.state]} ${shownQuizName(quiz.name)}, ${obligationWords(obligation, dayOf)}`,
    ),
    ...assigned.map(
      ({ quiz, progress }) =>
        md`${shownQuizName(quiz.name)}${progress in progressWords ? ' · ' : ', '}${progressWords[progress] ?? say`not taken yet`}`,
    ),
  ];
  const left = parts.length - quizzesInLine;
  return md`• *${listedName(name, true)}*: ${joinMrkdwn(
    [...parts.slice(0, quizzesInLine), ...(left > 0 ? [md`${left} more`] : [])],
    '; ',
  )}`;
}

function below({ group, due, read, left, nextFrom, isStillReading }: Due, offered: ReadonlySet<string>): KnownBlock[] {
  const asked = due.filter(({ obligations }) => obligations.length > 0).map(({ userId }) => userId);
  const steps = [
    ...(asked.length > 0 ? [formStep(say`Remind…`, remindPeople, { people: asked.slice(0, remindedAtMost) })] : []),
    runStep(say`In campaigns`, showMatrix, { people: [`group:${group.group_id}`] }),
  ];
  const goOn =
    left > 0
      ? operationButton('next', {
          text: say`Go on →`,
          doing: 'beside',
          operation: listDue,
          raw: { group: [group.group_id], from: [String(nextFrom)] },
        })
      : [];
  const looked = md`What campaigns ask for is stored. Besides, ${amount(read)} ${read === 1 ? 'quiz was' : 'quizzes were'} looked at that ${read === 1 ? 'is' : 'are'} assigned to these people.`;
  const more =
    left > 0 ? [md`${amount(left)} ${left === 1 ? 'is' : 'are'} left, which takes about a minute more.`] : [];
  const reading = isStillReading
    ? [md`The bot is still reading which quizzes groups have, so some may be missing.`]
    : [];
  return [
    context(joinMrkdwn([looked, ...more, ...reading], ' ')),
    ...buttonRow([...actionButtons(group.group_name, steps, offered), ...goOn]),
  ];
}
