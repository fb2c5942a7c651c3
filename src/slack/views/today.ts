import { type Message, context, section } from './blocks/message.ts';
import { findUser } from '../../features/users/find-user.ts';
import { showResults } from '../../features/results/show-results.ts';
import { showMissing } from '../../features/results/show-missing.ts';
import { listQuizzes } from '../../features/quizzes/list-quizzes.ts';
import { whoAmI } from '../../features/administration/who-am-i.ts';
import { shownQuizName } from '../../operations/wording/shown-name.ts';
import { shortName } from '../../domain/short-name.ts';
import { day, moment } from '../../time/date-words.ts';
import type { Button, KnownBlock } from '@slack/types';
import { listRequests } from '../../features/administration/list-requests.ts';
import type { DueQuiz, Today, TodayLine } from '../../features/administration/today.ts';
import { listAlerts } from '../../features/alerts/operations/list-alerts.ts';
import { resumeAlerts } from '../../features/alerts/operations/pause-and-resume.ts';
import { reopenPreview } from '../../features/batches/operations/reopen-preview.ts';
import { extendCampaign } from '../../features/campaigns/operations/extend.ts';
import { showMatrix } from '../../features/campaigns/operations/matrix.ts';
import { listCampaigns, viewStep } from '../../features/campaigns/operations/list-and-show.ts';
import { remindCampaign } from '../../features/campaigns/operations/remind.ts';
import { reviewStep } from '../../features/campaigns/operations/take-in.ts';
import { startCampaign } from '../../features/campaigns/operations/start-campaign.ts';
import { importUsers } from '../../features/imports/import-users.ts';
import { openQuiz } from '../../features/quizzes/open-and-close.ts';
import { myQuizzes } from '../../features/quizzes/my-quizzes.ts';
import { planKind } from '../../operations/fields/plan.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Link, Step } from '../../operations/page.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { requestedAction, requestReviewStep } from '../../features/administration/pages/requests.ts';
import { amount, countOf, say, joinSaid, asSaid, channelMention, mention } from '../../domain/said.ts';
import { actionButtons, buttonRow } from './blocks/buttons.ts';
import { drawParts } from './blocks/page.ts';

interface ShownLine {
  text: string;
  /** What a screen reader reads after the words of the button. */
  about: string;
  /** What it offers. */
  step: Step | Link;
}

/** What needs the reader: a line and a button for each thing, where the rest is, or that there is nothing. */
export function todayBlocks({ lines, left }: Today, offered: ReadonlySet<string>, timeZone: string): KnownBlock[] {
  if (lines.length === 0) return itemBlocks(nothingLine(offered), offered);
  return [
    ...lines.flatMap((line): KnownBlock[] =>
      line.kind === 'decide'
        ? drawParts([
            {
              lines: [say`🙋 ${mention(line.request.requesterId)} asks to ${requestedAction(line.request)}`],
              beside: requestReviewStep(line.request),
            },
          ])
        : itemBlocks(shownLine(line, timeZone), offered),
    ),
    ...leftBlocks(left),
  ];
}

function itemBlocks({ text, about, step }: ShownLine, offered: ReadonlySet<string>): KnownBlock[] {
  const spoken = `${asSaid(step.label)} ${shortName(about)}`;
  return drawParts([{ items: [{ line: text, steps: [{ spoken, ...step }] }] }], offered);
}

/** Shows everything that campaigns ask of people; for those who see campaigns. */
export function matrixButton(offered: ReadonlySet<string>): Button[] {
  return actionButtons(say`in all campaigns`, [runStep(say`Who has to take what`, showMatrix, {})], offered);
}

/**
 * The same as a message, with examples of what the reader can type.
 *
 * @param isReply the person wrote something that is no command
 */
export function todayMessage(
  { today, example }: Extract<OperationResult, { kind: 'today' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
  { isReply = false } = {},
): Message {
  const heading = today.lines.length === 0 ? [] : [section(say`*What needs you now*`)];
  const lines = joinSaid(
    exampleLines(offered, example).map((line) => say`\`${line}\``),
    ', ',
  );
  const hint = isReply ? say`I understand messages like these: ${lines}` : say`You can also type: ${lines}`;
  return {
    text: today.lines.length === 0 ? say`Nothing needs you now` : say`What needs you now`,
    blocks: [...heading, ...todayBlocks(today, offered, timeZone), ...buttonRow(matrixButton(offered)), context(hint)],
  };
}

function shownLine(line: Exclude<TodayLine, { kind: 'decide' }>, timeZone: string): ShownLine {
  switch (line.kind) {
    case 'take':
      return takeLine(line.quiz, line.isOverdue, timeZone);
    case 'paused':
      return {
        text: say`⏸️ Slack doesn’t let the bot post in ${channelMention(line.subscription.channelId)}, so its alerts are paused`,
        about: say`alerts`,
        step: runStep(say`Resume`, resumeAlerts, { subscription: [line.subscription.id] }),
      };
    case 'preview': {
      const what = planKind.describe(line.plan, { kind: 'plan', of: 'batch', label: '' });
      return {
        text: say`📋 Not started yet: ${what}`,
        about: say`import`,
        step: runStep(say`Open preview`, reopenPreview, { plan: [line.plan.id] }),
      };
    }
    default:
      return campaignLine(line, timeZone);
  }
}

function campaignLine(line: Extract<TodayLine, { campaign: unknown }>, timeZone: string): ShownLine {
  const {
    id,
    quiz: { id: quizId, name: about },
  } = line.campaign;
  const quiz = say`*${shownQuizName(about)}*`;
  const view = viewStep(id);
  switch (line.kind) {
    case 'missed':
      return {
        text: line.isReminding
          ? say`⏰ ${people(line.count)} missed ${quiz}. Reminders are scheduled.`
          : say`⏰ ${people(line.count)} missed ${quiz}`,
        about,
        step: line.canRemind && !line.isReminding ? runStep(say`Remind`, remindCampaign, { campaign: [id] }) : view,
      };
    case 'due soon':
      if (line.campaign.rule.standing)
        return {
          text:
            line.count === 1
              ? say`⏳ 1 person has ${quiz} due ${moment(line.dueAt, timeZone)}`
              : say`⏳ ${amount(line.count)} people have ${quiz} due within a week, the first ${moment(line.dueAt, timeZone)}`,
          about,
          step: view,
        };
      return {
        text: say`⏳ ${quiz} is due ${moment(line.dueAt, timeZone)}, ${amount(line.count)} missing`,
        about,
        step: formStep(say`Extend`, extendCampaign, { campaign: [id] }),
      };
    case 'not theirs':
      return {
        text: say`🙋 ${amount(line.count)} ${line.count === 1 ? 'person says' : 'people say'} ${quiz} isn’t for them`,
        about,
        step: view,
      };
    case 'candidates':
      return {
        text: say`👋 ${amount(line.count)} ${line.count === 1 ? 'person waits' : 'people wait'} to be taken into the campaign for ${quiz}`,
        about,
        step: reviewStep(id),
      };
    case 'to mark':
      return {
        text: say`📝 ${amount(line.count)} ${line.count === 1 ? 'person waits' : 'people wait'} for you to mark ${quiz}`,
        about,
        step: view,
      };
    case 'halted':
      return line.obstacle.status === 'closed'
        ? {
            text: say`⏸️ ${quiz} is closed, so its campaign is paused`,
            about,
            step: runStep(say`Open quiz`, openQuiz, { quiz: [quizId] }),
          }
        : { text: say`⏸️ Nobody can take ${quiz}, so its campaign is paused`, about, step: view };
  }
}

function takeLine({ name, dueAt, validUntil, takeUrl }: DueQuiz, isOverdue: boolean, timeZone: string): ShownLine {
  const quiz = say`*${shownQuizName(name)}*`;
  const text = validUntil !== undefined && validUntil === dueAt ? renewal() : due();
  return {
    text,
    about: name,
    step: takeUrl
      ? { label: say`Take quiz`, url: takeUrl, style: 'primary', spoken: say`Take quiz: ${shortName(name)}` }
      : runStep(say`My quizzes`, myQuizzes, {}),
  };

  function due(): string {
    if (dueAt === undefined) return say`📝 ${quiz} is waiting for you`;
    const when = moment(dueAt, timeZone);
    return isOverdue ? say`⏰ ${quiz} was due ${when}` : say`📝 ${quiz} is due ${when}`;
  }

  /** A pass counts until the end of a day. */
  function renewal(): string {
    const end = day((validUntil ?? 0) - 1, timeZone);
    return isOverdue
      ? say`⏰ ${quiz} is due again: your pass was valid until ${end}`
      : say`🔁 ${quiz} is due again: your pass is valid until ${end}`;
  }
}

/** The command that lists the rest, for each kind of line. */
const listedBy = {
  decide: listRequests,
  take: myQuizzes,
  paused: listAlerts,
  preview: importUsers,
  missed: listCampaigns,
  'due soon': listCampaigns,
  'not theirs': listCampaigns,
  candidates: listCampaigns,
  'to mark': listCampaigns,
  halted: listCampaigns,
} as const satisfies Record<TodayLine['kind'], Operation>;

/** Such as `…and 4 more: 3 in /quiz-campaign list, 1 in /quiz mine`. */
function leftBlocks(left: Today['left']): KnownBlock[] {
  const places = new Map<string, number>();
  for (const [kind, count] of Object.entries(left) as [TodayLine['kind'], number][]) {
    const place = listedBy[kind].command.replace(/ [[…].*$/, '');
    places.set(place, (places.get(place) ?? 0) + count);
  }
  if (places.size === 0) return [];
  const total = [...places.values()].reduce((sum, count) => sum + count, 0);
  const where = [...places].map(([place, count]) =>
    places.size === 1 ? say`\`${asSaid(place)}\`` : say`${amount(count)} in \`${asSaid(place)}\``,
  );
  return [context(say`…and ${amount(total)} more: ${joinSaid(where, ', ')}`)];
}

function nothingLine(offered: ReadonlySet<string>): ShownLine {
  return offered.has(startCampaign.name)
    ? {
        text: say`☀️ All done: nothing needs you right now. You could have people take a quiz by a due time.`,
        about: say`for a quiz`,
        step: formStep(say`Start a campaign`, startCampaign, {}),
      }
    : {
        text: say`☀️ All done: nothing needs you right now. You could look at how you did so far.`,
        about: say`and results`,
        step: runStep(say`My quizzes`, myQuizzes, {}),
      };
}

function people(count: number): string {
  return countOf(count, 'person', 'people');
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
function exampleLines(offered: ReadonlySet<string>, quizName: string | undefined): string[] {
  const isFit = quizName !== undefined && quizName.length <= longestName && !/[`\n]/.test(quizName);
  return examples
    .filter(({ name }) => offered.has(name))
    .slice(0, examplesAtMost)
    .map((operation) => {
      const line = asSaid(operation.command.split(' ').slice(0, 2).join(' '));
      return 'quiz' in operation.fields && isFit ? say`${line} ${quizName}` : line;
    });
}
