import { made, type Page, type Texts } from '../../../operations/page.ts';
import type { CampaignChangePlan, ChangedMember, RuleState } from '../../../domain/campaign-plan.ts';
import {
  named,
  namedPeople,
  say,
  amount,
  asSaid,
  channelMention,
  countOf,
  joinSaid,
  sentences,
  capitalized,
} from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { momentInWords, zoneOf } from '../../../operations/dates/typed-time.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { definePlan, type PlanNow, planSteps, type Shown } from '../../../operations/define-plan.ts';
import { invalid } from '../../../operations/fields/field-kind.ts';
import { visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { shortened } from '../../batches/operations/control-batch.ts';
import { peopleWords, nameList } from '../pages/words.ts';
import { judgedFor } from './who-takes-part.ts';
import { isNewlyAsked, planChange, changeWords, changedParts, isChanged, missedByChange } from './plan-change.ts';
import { viewStep } from './list-and-show.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { fixedDay, moment } from '../../../time/date-words.ts';

export const runChange = definePlan<CampaignChangePlan>({
  kind: 'campaign-change',
  name: 'run-rule-change',
  command: '/quiz-campaign change-rule <plan>',
  summary: 'Change the rules of a campaign as its preview shows it',
  title: say`Change a campaign`,
  right: 'edit_quizzes',
  rules: [
    {
      name: 'changing the rule of a campaign so that more than 100 people more have to take its quiz',
      when: ({ approval }) => approval === 'many people',
    },
    {
      name: 'changing the rule of a campaign so that people have to take its quiz whom the person doesn’t train',
      when: ({ approval }) => approval !== null,
    },
    { name: 'every other change of a campaign' },
  ],
  label: 'Change',
  isEmpty: ({ before, after }) => changedParts(before, after).length === 0,
  describe: ({ quiz, before, after }) => `${quiz.name}, ${changeWords(before, after)}`,
  targets: ({ quiz }) => [{ kind: 'quiz', id: quiz.id, name: quiz.name, facts: { Name: quiz.name } }],
  async judge(content, context) {
    const visible = await visibleCampaigns(context);
    if (!visible.some(({ id }) => id === content.campaignId))
      return invalid(say`You can’t see this campaign any more.`);
    return judgedFor(content, content.members.filter(isNewlyAsked), context);
  },
  page: ruleChangePage,
  whole: changedPeople,
  startedMessage: say`This change was made already. /quiz-campaign show has the campaign as it is.`,
  action: ({ quiz }) => say`change the rules of the campaign for ${named(quiz.name)}`,
  effect: proposedChange,
  now: changeNow,
  async start(context, plan) {
    const { campaignId, change } = plan;
    await runningCampaign(context, plan);
    await context.campaigns.put(campaignId, { kind: 'rule', change, at: context.now() });
    const message = changedMessage(plan, firstInWords(context, plan), missedByChange(plan, context.now()));
    return made(message, [viewStep(campaignId)]);
  },
});

/** @throws {InvalidInputError} where it is over */
async function runningCampaign({ campaigns }: OperationContext, plan: CampaignChangePlan) {
  const campaign = await campaigns.byId(plan.campaignId);
  if (campaign === undefined || campaign.endedAt !== null)
    throw new InvalidInputError(
      'plan',
      say`The campaign for ${named(plan.quiz.name)} is over, so its rules can’t change.`,
    );
  return campaign;
}

/** How the change stands: reads the results, and says what has become different since the preview. */
async function changeNow(context: OperationContext, plan: CampaignChangePlan): Promise<PlanNow> {
  const known = await runningCampaign(context, plan);
  const { campaign } = await context.campaigns.readNow(known, context.call);
  const now = await planChange(context, campaign, plan.change);
  const isOtherRule = changedParts(plan.before, now.before).length > 0;
  const planned = new Map(plan.members.filter(isNewlyAsked).map((member) => [member.userId, member]));
  const asked = now.members.filter(isNewlyAsked);
  const more = asked.filter(({ userId }) => !planned.has(userId));
  const stillAsked = new Set(asked.map(({ userId }) => userId));
  const fewer = [...planned.values()].filter(({ userId }) => !stillAsked.has(userId));
  return {
    privileged: [],
    changes: shortened([
      ...(isOtherRule ? [say`Someone else changed the rules of this campaign.`] : []),
      ...(more.length === 0 ? [] : [say`${namedPeople(more, 3)} would have to take it now, too.`]),
      ...(fewer.length === 0 ? [] : [say`${namedPeople(fewer, 3)} wouldn’t have to take it any more.`]),
    ]),
  };
}

/** What the people would read who decide on it. */
function proposedChange({ before, after, members, sooner }: CampaignChangePlan): string {
  const asked = members.filter(isNewlyAsked);
  return sentences([
    say`The rules would change: ${changeWords(before, after)}.`,
    asked.length > 0 &&
      say`${peopleWords(asked.length)} would have to take the quiz who ${asked.length === 1 ? 'doesn’t' : 'don’t'} now: ${namedPeople(asked)}.`,
    sooner > 0 && say`${peopleWords(sooner)} would get their next message sooner.`,
  ]);
}

function firstInWords(context: OperationContext, { firstMessagesAt }: CampaignChangePlan): string | undefined {
  if (firstMessagesAt === null) return undefined;
  const nowMs = context.now();
  return momentInWords(Math.max(firstMessagesAt, nowMs), { nowMs, timeZone: zoneOf(context) });
}

/**
 * @param first when the first of the messages goes out that come sooner, in words; undefined where none does
 * @param missed why reminders do not come, in sentences; undefined where they do
 */
export function changedMessage(
  { quiz, before, after, sooner }: CampaignChangePlan,
  first: string | undefined,
  missed?: string,
): string {
  const parts = changedParts(before, after).map(({ words }) => words);
  return sentences([
    say`Changed the rules of the campaign for ${named(quiz.name)}: ${parts.join('; ')}.`,
    first !== undefined && say`${peopleWords(sooner)} will get their next message sooner, the first ${first}.`,
    missed,
  ]);
}

const namesAtMost = 10;

/** In a round, who has passed has nothing to do any more. */
type ShownState = RuleState | 'done';

const stateWords: Readonly<Record<ShownState, string>> = {
  valid: say`valid`,
  done: say`done`,
  'to renew': say`to be renewed`,
  due: say`due`,
  overdue: say`overdue`,
  expired: say`expired`,
  'not asked': say`not asked`,
};

const stateCounts: Readonly<Record<ShownState, (count: number) => string>> = {
  valid: (count) => say`${amount(count)} valid`,
  done: (count) => say`${amount(count)} done`,
  'to renew': (count) => say`${amount(count)} to be renewed`,
  due: (count) => say`${amount(count)} due`,
  overdue: (count) => say`${amount(count)} overdue`,
  expired: (count) => say`${amount(count)} expired`,
  'not asked': (count) => say`${amount(count)} not asked`,
};

/** The difference that another rule of a campaign would make, with the button that makes it count. */
export function ruleChangePage(plan: CampaignChangePlan, shown: Shown): Page {
  const { quiz, before, after, approval } = plan;
  return {
    heading: say`📋 Change the rules of the campaign for *${shownQuizName(quiz.name)}*. Nothing changes until you press *Change the rules*.`,
    parts: [
      {
        facts: changedParts(before, after).map(({ label, was, is }) => [
          asSaid(label),
          label === 'Progress' && after.board !== null
            ? say`In ${channelMention(after.board.channelId)}`
            : say`${capitalized(was)} → ${is}`,
        ]),
      },
      {
        lines: [
          stateLine(plan),
          ...memberLines(plan),
          messagesLine(plan),
          shown.warning !== undefined && say`⚠️ ${shown.warning}`,
        ],
        notes: [
          approval === 'many people' &&
            say`More than 100 people would have to take it who don’t now: someone else has to approve this.`,
          approval === 'other people' &&
            say`You don’t train all of the people who would have to take it, so someone else has to approve this.`,
        ],
      },
    ],
    steps: planSteps(plan, shown, { startText: say`Change the rules` }),
  };
}

function stateLine({ states, after }: CampaignChangePlan): string | false {
  const counts = states.map(({ state, before, after: then }) => {
    const count = stateCounts[shownState(state, after)](then);
    return before === then ? count : say`${count} (now ${amount(before)})`;
  });
  return counts.length > 0 && say`• People: ${counts.join(', ')}.`;
}

function shownState(state: RuleState, { standing }: CampaignChangePlan['after']): ShownState {
  return state === 'valid' && standing === null ? 'done' : state;
}

function memberLines({ members }: CampaignChangePlan): Texts {
  const asked = members.filter(isNewlyAsked);
  const freed = members.filter(({ was, is }) => isNewlyAsked({ was: is, is: was }));
  const others = members.filter((member) => isChanged(member) && !asked.includes(member) && !freed.includes(member));
  return [
    lineOf(
      asked,
      (names) => say`• ${names} would have to take it, and ${asked.length === 1 ? 'doesn’t' : 'don’t'} have to now.`,
    ),
    lineOf(freed, (names) => say`• ${names} wouldn’t have to take it any more.`),
    lineOf(others, (names) => say`• ${names} would have it due at another time.`),
  ];
}

function lineOf(members: readonly ChangedMember[], sentence: (names: string) => string): string | false {
  return members.length > 0 && sentence(nameList(members, { most: namesAtMost }));
}

function messagesLine({ sooner, firstMessagesAt }: CampaignChangePlan): string {
  if (firstMessagesAt === null) return say`• Nobody would get a message sooner than now.`;
  return say`• ${countOf(sooner, 'person', 'people')} would get ${sooner === 1 ? 'their next message' : 'their next messages'} sooner, the first ${moment(firstMessagesAt)}.`;
}

/** Everyone in the campaign: those first who would stand differently. */
function changedPeople(plan: CampaignChangePlan): { heading: string; lines: string[] } {
  const { quiz, members } = plan;
  const changed = members.filter(isChanged).length;
  const all = countOf(members.length, 'person', 'people');
  return {
    heading:
      changed === 0
        ? say`*${shownQuizName(quiz.name)}*: nobody of ${all} would stand differently`
        : say`*${shownQuizName(quiz.name)}*: ${amount(changed)} of ${all} would stand differently`,
    lines: members.map((member) => memberLine(member, plan)),
  };
}

function memberLine(
  { name, was, is, dueAt, validUntil }: ChangedMember,
  { after, timeZone }: CampaignChangePlan,
): string {
  const day = (at: number) => fixedDay(at - 1, timeZone);
  const words = (state: RuleState) => stateWords[shownState(state, after)];
  const parts = [
    say`• ${listedName(name, true)}`,
    was === is ? say`${words(is)}` : say`${words(is)} (now ${words(was)})`,
    dueAt !== undefined && is !== 'valid' && is !== 'not asked' && say`due ${day(dueAt)}`,
    validUntil !== undefined && is !== 'due' && is !== 'overdue' && say`valid until ${day(validUntil)}`,
  ];
  return joinSaid(parts, ' · ');
}
