import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import { namedList } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { memberState, type MemberState } from '../../../obligations/members.ts';
import { parseNameAndClauses } from '../../../operations/clauses/names-and-clauses.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { runStep } from '../../../operations/next-step.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import type { NextStep } from '../../../operations/operation-result.ts';
import { campaignsOf, peopleField, quizzesField } from './campaigns-of-people.ts';
import { excusedFrom, excuseIn, includeInCampaign } from './excuse-and-include.ts';
import { effectOfExcuse, excuseFields } from './excuse-fields.ts';
import { namesOf } from './members-named.ts';
import { quizNames } from './remind-people.ts';
import { readLaterTime } from './schedule-input.ts';
import { showMatrix } from './show-matrix.ts';

/** Who is done with a quiz needs no excuse from it. */
const excusable: ReadonlySet<MemberState> = new Set<MemberState>(['open', 'not me', 'excused']);
const undoneAtMost = 2;

/** What the matrix offers for people whom a person chooses from it. */
export const excusePeople: Operation = defineOperation({
  name: 'excuse-people',
  command: '/quiz-campaign excuse-people <people> [until 1 feb] because <reason>',
  summary: 'Excuse people from everything they still have to take, for a reason',
  title: say`Excuse people`,
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Excuse',
  uses: ['campaigns'],
  fields: { people: peopleField, quizzes: quizzesField, ...excuseFields },
  parse: (line) => parseNameAndClauses(line, excusePeople.fields, 'people'),
  action: ({ people, quizzes }) =>
    quizzes?.length
      ? say`excuse ${namesOf(people)} from ${quizNames(quizzes)}`
      : say`excuse ${namesOf(people)} from everything they have to take`,
  effect: (_, { until }) => effectOfExcuse(until),
  async run(context, { people, quizzes, until: typed, because: reason }) {
    const { campaigns, actor } = context;
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const until = typed === undefined ? undefined : readLaterTime(typed, 'until', setting);
    const excuse = { by: actor.personId, reason, at: setting.nowMs, ...(until !== undefined && { until }) };
    const excused: Excused[] = [];
    for (const { campaign, members } of await campaignsOf(context, people, quizzes)) {
      const meant = members.filter((member) => excusable.has(memberState(member, campaign, setting.nowMs)));
      const left = await excuseIn(campaigns, campaign, meant, excuse);
      if (left.length > 0) excused.push({ campaign, members: left });
    }
    const next = [runStep(say`View everyone`, showMatrix, {})];
    if (excused.length === 0) return { kind: 'done', isNoChange: true, message: nothingToExcuse(people.length), next };
    const who = new Map(excused.flatMap(({ members }) => members.map((member) => [member.userId, member])));
    const from = namedList([...new Set(excused.map(({ campaign }) => campaign.quiz.name))]);
    return {
      kind: 'done',
      message: excusedFrom(from, [...who.values()], until, setting),
      next: [...undoSteps(excused), ...next],
    };
  },
});

interface Excused {
  campaign: Campaign;
  members: readonly CampaignMember[];
}

export function nothingToExcuse(count: number): string {
  return count === 1
    ? say`There’s nothing to excuse this person from in campaigns that you can see. Nothing changed.`
    : say`There’s nothing to excuse these people from in campaigns that you can see. Nothing changed.`;
}

function undoSteps(excused: readonly Excused[]): NextStep[] {
  if (excused.length > undoneAtMost) return [];
  return excused.map(({ campaign: { id, quiz }, members }) =>
    runStep(excused.length === 1 ? say`Undo` : say`Undo for ${quiz.name}`, includeInCampaign, {
      campaign: [id],
      people: members.map(({ userId }) => userId),
    }),
  );
}
