import type { CampaignChangePlan, ChangedMember, RuleState } from '../../../domain/campaign-plan.ts';
import { isChanged, isNewlyAsked } from '../../../features/campaigns/operations/plan-change.ts';
import { showChange } from '../../../features/campaigns/operations/run-change.ts';
import { changedParts } from '../../../features/campaigns/operations/rule-words.ts';
import type { PlanPreview } from '../../../operations/operation-result.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { countOf } from '../../../domain/said.ts';
import { factSection } from '../blocks/facts.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { fixedDay, moment } from '../blocks/moments.ts';
import { channelMention, context, md, section, sections, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { pageButtons, pageOf } from '../blocks/pages.ts';
import { listedName, shownQuizName } from '../blocks/shown-name.ts';
import { planButtons } from '../batches/plan-buttons.ts';
import { nameList } from './campaign-counts.ts';

const namesAtMost = 10;

const stateWords: Readonly<Record<RuleState, string>> = {
  valid: 'valid',
  'to renew': 'to be renewed',
  due: 'due',
  overdue: 'overdue',
  expired: 'expired',
  'not asked': 'not asked',
};

/** The difference that another rule of a campaign would make, with the button that makes it count. */
export function campaignChangeMessage(preview: PlanPreview<CampaignChangePlan>, timeZone: string): Message {
  const { plan } = preview;
  const heading = md`📋 Another rule for the campaign for *${shownQuizName(plan.quiz.name)}*. Nothing changes until you press *Change the rule*.`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      factSection(
        changedParts(plan.before, plan.after).map(({ label, was, is }) => [
          label,
          label === 'Progress' && plan.after.board !== null
            ? md`In ${channelMention(plan.after.board.channelId)}`
            : md`${capitalized(was)} → ${is}`,
        ]),
      ),
      ...sections([...stateLines(plan), ...memberLines(plan), messagesLine(plan, timeZone)]),
      ...approvalNote(plan),
      ...buttonRow(planButtons(preview, { startText: 'Change the rule' })),
    ],
  };
}

function stateLines({ states, after }: CampaignChangePlan): Mrkdwn[] {
  const counts = states.map(({ state, before, after: then }) =>
    before === then
      ? `${then.toLocaleString('en')} ${wordsFor(state, after)}`
      : `${then.toLocaleString('en')} ${wordsFor(state, after)} (now ${before.toLocaleString('en')})`,
  );
  return counts.length === 0 ? [] : [md`• People: ${counts.join(', ')}.`];
}

/** In a round, who has passed has nothing to do any more. */
function wordsFor(state: RuleState, { standing }: CampaignChangePlan['after']): string {
  return state === 'valid' && standing === undefined ? 'done' : stateWords[state];
}

function memberLines({ members }: CampaignChangePlan): Mrkdwn[] {
  const asked = members.filter(isNewlyAsked);
  const freed = members.filter(({ was, is }) => isNewlyAsked({ was: is, is: was }));
  const others = members.filter((member) => isChanged(member) && !asked.includes(member) && !freed.includes(member));
  return [
    ...lineOf(asked, `would have to take it, and ${asked.length === 1 ? 'doesn’t' : 'don’t'} have to now.`),
    ...lineOf(freed, 'wouldn’t have to take it any more.'),
    ...lineOf(others, 'would have it due at another time.'),
  ];
}

function lineOf(members: readonly ChangedMember[], words: string): Mrkdwn[] {
  const names = nameList(
    members.map(({ name }) => name),
    { most: namesAtMost },
  );
  return members.length === 0 ? [] : [md`• ${names} ${words}`];
}

function messagesLine({ sooner, firstMessagesAt }: CampaignChangePlan, timeZone: string): Mrkdwn {
  if (firstMessagesAt === null) return md`• Nobody would get a message sooner than now.`;
  const theirs = sooner === 1 ? 'their next message' : 'their next messages';
  return md`• ${countOf(sooner, 'person', 'people')} would get ${theirs} sooner, the first ${moment(new Date(firstMessagesAt), timeZone)}.`;
}

function approvalNote({ approval }: CampaignChangePlan) {
  if (approval === null) return [];
  return [
    context(
      approval === 'many people'
        ? md`More than 100 people would have to take it who don’t now: someone else has to approve this.`
        : md`You don’t train all of the people who would have to take it, so someone else has to approve this.`,
    ),
  ];
}

/** Everyone in the campaign, page by page: those first who would stand differently. */
export function changedPeopleMessage(id: string, plan: CampaignChangePlan, wanted: number): Message {
  const { quiz, members, after, lead } = plan;
  const lines = members.map(({ name, was, is, dueAt, validUntil }) => {
    const day = (at: number) => fixedDay(new Date(at - 1), lead.timeZone);
    const state = was === is ? wordsFor(is, after) : `${wordsFor(is, after)} (now ${wordsFor(was, after)})`;
    const due = dueAt === undefined || is === 'valid' || is === 'not asked' ? '' : ` · due ${day(dueAt)}`;
    const valid =
      validUntil === undefined || is === 'due' || is === 'overdue' ? '' : ` · valid until ${day(validUntil)}`;
    return md`• ${listedName(name, true)} · ${state}${due}${valid}`;
  });
  const changed = members.filter(isChanged).length;
  const { shown, page, pages } = pageOf(lines, wanted);
  const heading = md`*${shownQuizName(quiz.name)}*: ${changed === 0 ? 'nobody' : changed.toLocaleString('en')} of ${countOf(members.length, 'person', 'people')} would stand differently`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(shown),
      ...(pages > 1 ? [context(md`Page ${page} of ${pages}`)] : []),
      ...buttonRow(pageButtons(showChange, { plan: [id] }, { page, pages })),
    ],
  };
}
