import { amount, asSaid, channelMention, countOf, joinSaid, mention, say, shortName } from '../../../domain/said.ts';
import { sharedCode } from '../../../domain/subscription.ts';
import { planKind } from '../../../operations/fields/kept.ts';
import { formStep, runStep, type Item, type Link, type Page, type Part, type Step } from '../../../operations/page.ts';
import type { Operation } from '../../../operations/operation.ts';
import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import { listAlerts } from '../../alerts/operations/alerts.ts';
import { resumeAlerts } from '../../alerts/operations/pause-and-resume.ts';
import { reopenPreview } from '../../batches/operations/control-batch.ts';
import { extendCampaign } from '../../campaigns/operations/change-campaign.ts';
import { listCampaigns, viewStep, showMatrix } from '../../campaigns/operations/list-and-show.ts';
import { remindCampaign } from '../../campaigns/operations/remind.ts';
import { startCampaign } from '../../campaigns/operations/start-campaign.ts';
import { reviewStep } from '../../campaigns/operations/add.ts';
import { importUsers } from '../../imports/import-users.ts';
import { listQuizzes, myQuizzes } from '../../quizzes/list-and-show.ts';
import { openQuiz } from '../../quizzes/open-and-close.ts';
import { showMissing, showResults } from '../../results/show-results.ts';
import { findUser } from '../../users/list-and-show.ts';
import { listRequests, whoAmI } from '../status.ts';
import type { DueQuiz, Today, TodayLine } from '../today.ts';
import { requestedAction, requestReviewStep } from './requests.ts';

/** The operations that the reader may run or ask for. */
type Offered = ReadonlySet<string>;

/** Shows everything that campaigns ask of people. */
export const matrixStep = about(say`in all campaigns`, runStep(say`Training matrix`, showMatrix, {}));

/** What a screen reader reads after the words of a button, which it can have already. */
function about<One extends Step | Link>(words: string, step: One): One {
  return { spoken: `${asSaid(step.label)} ${shortName(words)}`, ...step };
}

/**
 * What needs the reader now, with examples of what they can type.
 *
 * @param shown.isReply the person wrote something that is no command
 */
export function todayPage(
  { today, example, isReply }: { today: Today; example: string | undefined; isReply: boolean },
  offered: Offered,
): Page {
  const isNothing = today.lines.length === 0;
  const { line, step } = nothing(offered);
  const lines = joinSaid(
    exampleLines(offered, example).map((typed) => say`\`${typed}\``),
    ', ',
  );
  const hint = isReply ? say`I understand messages like these: ${lines}` : say`You can also type: ${lines}`;
  const ends = { steps: [matrixStep], notes: [hint] };
  return isNothing
    ? { heading: line, beside: step, notification: say`Nothing needs you now`, parts: [ends] }
    : {
        heading: say`*What needs you now*`,
        notification: say`What needs you now`,
        parts: [...todayParts(today, offered), ends],
      };
}

/** A line and a button for each thing, and where the rest is, or that there is nothing. */
export function todayParts({ lines, left }: Today, offered: Offered): Part[] {
  const { line, step } = nothing(offered);
  return lines.length === 0
    ? [{ items: [{ line, steps: [step] }] }]
    : [{ items: lines.map((one) => itemOf(one)), notes: [leftWords(left)] }];
}

function itemWith(line: string, words: string, step: Step | Link): Item {
  return { line, steps: [about(words, step)] };
}

function itemOf(line: TodayLine): Item {
  switch (line.kind) {
    case 'decide':
      return {
        line: say`🙋 ${mention(line.request.requesterId)} asks to ${requestedAction(line.request)}`,
        steps: [requestReviewStep(line.request)],
      };
    case 'take':
      return takeItem(line.quiz, line.isOverdue);
    case 'paused':
      return itemWith(
        line.subscription.pause?.code === sharedCode
          ? say`⏸️ Another company can read ${channelMention(line.subscription.channelId)} now, so its alerts are paused`
          : say`⏸️ Slack doesn’t let the bot post in ${channelMention(line.subscription.channelId)}, so its alerts are paused`,
        say`alerts`,
        runStep(say`Resume`, resumeAlerts, { subscription: [line.subscription.id] }),
      );
    case 'preview':
      return itemWith(
        say`📋 Not started yet: ${planKind.describe(line.plan, { kind: 'plan', of: 'batch', label: '' })}`,
        say`import`,
        runStep(say`Open preview`, reopenPreview, { plan: [line.plan.id] }),
      );
    default: {
      const [text, step] = campaignLine(line);
      return itemWith(text, line.campaign.quiz.name, step);
    }
  }
}

function campaignLine(line: Extract<TodayLine, { campaign: unknown }>): [text: string, step: Step] {
  const {
    id,
    quiz: { id: quizId, name },
    rule: { standing },
  } = line.campaign;
  const quiz = say`*${shownQuizName(name)}*`;
  const view = viewStep(id);
  switch (line.kind) {
    case 'missed': {
      const missed = say`⏰ ${countOf(line.count, 'person', 'people')} missed ${quiz}`;
      if (line.isReminding)
        return [say`⏰ ${countOf(line.count, 'person', 'people')} missed ${quiz}. Reminders are scheduled.`, view];
      return [missed, runStep(say`Remind`, remindCampaign, { campaign: [id] })];
    }
    case 'due soon': {
      const due = moment(line.dueAt);
      if (!standing)
        return [
          line.failed === 0
            ? say`⏳ ${quiz} is due ${due}, ${amount(line.count)} missing`
            : say`⏳ ${quiz} is due ${due}, ${amount(line.count)} missing, ${amount(line.failed)} not passed`,
          formStep(say`Extend`, extendCampaign, { campaign: [id] }),
        ];
      return [
        line.count === 1
          ? say`⏳ 1 person has ${quiz} due ${due}`
          : say`⏳ ${amount(line.count)} people have ${quiz} due within a week, the first ${due}`,
        view,
      ];
    }
    case 'out of reach':
      return [say`📵 ${countOf(line.count, 'person', 'people')} can’t be reached by message about ${quiz}`, view];
    case 'not theirs':
      return [
        say`🙋 ${amount(line.count)} ${line.count === 1 ? 'person says' : 'people say'} ${quiz} isn’t for them`,
        view,
      ];
    case 'candidates':
      return [
        say`👋 ${amount(line.count)} ${line.count === 1 ? 'person waits' : 'people wait'} to be taken into the campaign for ${quiz}`,
        reviewStep(id),
      ];
    case 'to mark':
      return [
        say`📝 ${amount(line.count)} ${line.count === 1 ? 'person waits' : 'people wait'} for you to mark ${quiz}`,
        view,
      ];
    case 'halted':
      return line.obstacle.status === 'closed'
        ? [say`⏸️ ${quiz} is closed, so its campaign is paused`, runStep(say`Open quiz`, openQuiz, { quiz: [quizId] })]
        : [say`⏸️ Nobody can take ${quiz}, so its campaign is paused`, view];
  }
}

function takeItem({ name, dueAt, validUntil, takeUrl, isNotPassed }: DueQuiz, isOverdue: boolean): Item {
  const quiz = say`*${shownQuizName(name)}*`;
  const label = isNotPassed ? say`Take again` : say`Take quiz`;
  return itemWith(
    validUntil !== undefined && validUntil === dueAt ? renewal(validUntil) : due(),
    name,
    takeUrl
      ? { label, url: takeUrl, style: 'primary', spoken: say`${label}: ${shortName(name)}` }
      : runStep(say`My quizzes`, myQuizzes, {}),
  );

  function due(): string {
    if (isNotPassed) return say`❌ You haven’t passed ${quiz} yet`;
    if (dueAt === undefined) return say`📝 ${quiz} is waiting for you`;
    const when = moment(dueAt);
    return isOverdue ? say`⏰ ${quiz} was due ${when}` : say`📝 ${quiz} is due ${when}`;
  }

  /** A pass counts until the end of a day. */
  function renewal(until: number): string {
    const end = day(until - 1);
    return isOverdue
      ? say`⏰ ${quiz} is due again: your pass was valid until ${end}`
      : say`🔁 ${quiz} is due again: your pass is valid until ${end}`;
  }
}

function nothing(offered: Offered): { line: string; step: Step } {
  return offered.has(startCampaign.name)
    ? {
        line: say`☀️ All done: nothing needs you right now. You could start a campaign.`,
        step: about(say`for a quiz`, formStep(say`Start a campaign`, startCampaign, {})),
      }
    : {
        line: say`☀️ All done: nothing needs you right now. You could look at how you did so far.`,
        step: about(say`and results`, runStep(say`My quizzes`, myQuizzes, {})),
      };
}

/** The command that lists the rest, for each kind of line. */
const listedBy = {
  decide: listRequests,
  take: myQuizzes,
  paused: listAlerts,
  preview: importUsers,
  missed: listCampaigns,
  'due soon': listCampaigns,
  'out of reach': listCampaigns,
  'not theirs': listCampaigns,
  candidates: listCampaigns,
  'to mark': listCampaigns,
  halted: listCampaigns,
} as const satisfies Record<TodayLine['kind'], Operation>;

/** Such as `…and 4 more: 3 in /quiz-campaign list, 1 in /quiz mine`. */
function leftWords(left: Today['left']): string | undefined {
  const places = new Map<string, number>();
  for (const [kind, count] of Object.entries(left) as [TodayLine['kind'], number][]) {
    const place = listedBy[kind].command.replace(/ [[…].*$/, '');
    places.set(place, (places.get(place) ?? 0) + count);
  }
  if (places.size === 0) return undefined;
  const total = [...places.values()].reduce((sum, count) => sum + count, 0);
  const where = [...places].map(([place, count]) =>
    places.size === 1 ? say`\`${asSaid(place)}\`` : say`${amount(count)} in \`${asSaid(place)}\``,
  );
  return say`…and ${amount(total)} more: ${joinSaid(where, ', ')}`;
}

const examplesAtMost = 3;
/** Longer names make no good example. */
const longestName = 40;

/** What shows most of what the bot does, first. */
const examples: readonly Operation[] = [
  showMissing,
  showResults,
  listCampaigns,
  findUser,
  listRequests,
  myQuizzes,
  listQuizzes,
  whoAmI,
];

/**
 * Three lines that a person can type, by their rights.
 *
 * @param quizName of a quiz that they see, for lines about one; without it, these open a form
 */
function exampleLines(offered: Offered, quizName: string | undefined): string[] {
  const isFit = quizName !== undefined && quizName.length <= longestName && !/[`\n]/.test(quizName);
  return examples
    .filter(({ name }) => offered.has(name))
    .slice(0, examplesAtMost)
    .map((operation) => {
      const line = asSaid(operation.command.split(' ').slice(0, 2).join(' '));
      return 'quiz' in operation.fields && isFit ? say`${line} ${quizName}` : line;
    });
}
