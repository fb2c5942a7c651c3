import type { CampaignChangePlan, ChangedMember, RuleState } from '../../../domain/campaign-plan.ts';
import { amount, asSaid, channelMention, countOf, joinSaid, say } from '../../../domain/said.ts';
import type { Page } from '../../../operations/page.ts';
import { planSteps, type Shown } from '../../../operations/define-plan.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { fixedDay, moment } from '../../../time/date-words.ts';
import { isChanged, isNewlyAsked, changedParts } from '../operations/plan-change.ts';
import { nameList } from './words.ts';

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
        lines: [...stateLines(plan), ...memberLines(plan), messagesLine(plan)],
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

function stateLines({ states, after }: CampaignChangePlan): string[] {
  const counts = states.map(({ state, before, after: then }) => {
    const count = stateCounts[shownState(state, after)](then);
    return before === then ? count : say`${count} (now ${amount(before)})`;
  });
  return counts.length === 0 ? [] : [say`• People: ${counts.join(', ')}.`];
}

function shownState(state: RuleState, { standing }: CampaignChangePlan['after']): ShownState {
  return state === 'valid' && standing === null ? 'done' : state;
}

function memberLines({ members }: CampaignChangePlan): string[] {
  const asked = members.filter(isNewlyAsked);
  const freed = members.filter(({ was, is }) => isNewlyAsked({ was: is, is: was }));
  const others = members.filter((member) => isChanged(member) && !asked.includes(member) && !freed.includes(member));
  return [
    ...lineOf(
      asked,
      (names) => say`• ${names} would have to take it, and ${asked.length === 1 ? 'doesn’t' : 'don’t'} have to now.`,
    ),
    ...lineOf(freed, (names) => say`• ${names} wouldn’t have to take it any more.`),
    ...lineOf(others, (names) => say`• ${names} would have it due at another time.`),
  ];
}

function lineOf(members: readonly ChangedMember[], sentence: (names: string) => string): string[] {
  const names = nameList(members, { most: namesAtMost });
  return members.length === 0 ? [] : [sentence(names)];
}

function messagesLine({ sooner, firstMessagesAt }: CampaignChangePlan): string {
  if (firstMessagesAt === null) return say`• Nobody would get a message sooner than now.`;
  return say`• ${countOf(sooner, 'person', 'people')} would get ${sooner === 1 ? 'their next message' : 'their next messages'} sooner, the first ${moment(firstMessagesAt)}.`;
}

/** Everyone in the campaign: those first who would stand differently. */
export function changedPeople(plan: CampaignChangePlan): { heading: string; lines: string[] } {
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
    ...(dueAt === undefined || is === 'valid' || is === 'not asked' ? [] : [say`due ${day(dueAt)}`]),
    ...(validUntil === undefined || is === 'due' || is === 'overdue' ? [] : [say`valid until ${day(validUntil)}`]),
  ];
  return joinSaid(parts, ' · ');
}
