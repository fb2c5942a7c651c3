import { isInside, personOf } from '../../../obligations/people.ts';
import { runStep, unchanged, type Step, type Texts, type DoneResult } from '../../../operations/page.ts';
import { named, namedList, namedTarget, markedPerson, say, sentences } from '../../../domain/said.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { changeEach } from '../../../operations/change-each.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { zoneOf, dayInWords } from '../../../operations/dates/typed-time.ts';
import { previewOf } from '../../../operations/define-plan.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation, ofPreview } from '../../../operations/operation.ts';
import { membersInWords, type MentionedMembers } from '../../../operations/fields/mentioned-members.ts';
import {
  collectivesIn,
  partId,
  partName,
  type AudiencePart,
  type AudiencePerson,
} from '../../../operations/fields/people.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { peopleWords, assigningWords } from '../pages/words.ts';
import { growingCampaign } from '../../../operations/fields/campaign.ts';
import { includeInCampaign } from './excuse-and-include.ts';
import { viewStep } from './list-and-show.ts';
import { findWhoTakesPart, approvalFor, type TakingPart, type Completed } from './who-takes-part.ts';
import type { PlatformWords } from '../../../operations/services/platform.ts';
import { planFor } from './plan.ts';

/** More people or groups get the quiz in the background. */
const assignedAtOnce = 50;

export const addToCampaign = defineOperation({
  name: 'add-to-campaign',
  command: '/quiz-campaign add <people> to <campaign>',
  summary: 'Add people to a campaign, and assign its quiz to them',
  title: say`Add to a campaign`,
  buttons: { campaign: [{ label: 'Add people…', in: ['page'], position: 6, opens: 'form' }] },
  access: 'write',
  right: 'edit_quizzes',
  rules: [
    {
      name: 'adding to a campaign that has more than 100 people then',
      when: ({ people, campaign }) => approvalToAdd(people, campaign) === 'many people',
    },
    {
      name: 'adding people whom the person doesn’t train to a campaign',
      when: ({ people, campaign }) => approvalToAdd(people, campaign) !== null,
    },
    { name: 'every other change of a campaign' },
  ],
  submit: 'Add',
  fields: {
    people: { kind: 'audience', from: 'account', label: 'Users and groups' },
    campaign: growingCampaign,
    count: { kind: 'text', label: 'Number of people', maxLength: 10, optional: true, typedOnly: true },
  },
  /** “Everyone” can be more people by the time of the press. */
  confirm({ people, campaign, count }) {
    const members = collectivesIn(people);
    const { length } = newcomers(people, campaign);
    if (members.length === 0 || length === 0 || count === String(length)) return undefined;
    const ids = people.map((part) => (part.kind === 'user' && part.through ? 'everyone' : partId(part)));
    return {
      question: addingQuestion(campaign, members),
      label: say`Add ${peopleWords(length)}`,
      input: { people: [...new Set(ids)], campaign: [campaign.id], count: [String(length)] },
    };
  },
  action: ({ campaign, people }) =>
    say`add ${namedList(people.map(partName))} to the campaign for ${named(campaign.quiz.name)}`,
  effect(_, { people, campaign }) {
    const { length } = newcomers(people, campaign);
    return length > 1
      ? say`${peopleWords(length)} would get the quiz, a message about it, and the reminders.`
      : say`They would get the quiz, a message about it, and the reminders.`;
  },
  async review({ api, call }, { campaign }) {
    const quiz = await api.quizzes.get(campaign.quiz.id, call);
    if (quiz.status === 'closed')
      throw new InvalidInputError(
        'campaign',
        say`${named(quiz.name)} is closed, so adding people can’t be approved until it’s open.`,
      );
    const warning = assignmentWarning(quiz);
    return { privileged: [], changes: warning === undefined ? [] : [warning] };
  },
  warn: async ({ api, call }, { campaign }) => assignmentWarning(await api.quizzes.get(campaign.quiz.id, call)),
  run: addPeople,
});

/** What people are asked before many at once are added. */
export function addingQuestion({ quiz }: Pick<Campaign, 'quiz'>, members: readonly MentionedMembers[]): string {
  return `${membersInWords(members)}. ${say`Add those who aren’t in the campaign for ${named(quiz.name)} yet?`}`;
}

/** Adds people, and assigns the quiz to those who lack it. */
export async function addPeople(
  context: OperationContext,
  { people, campaign }: { people: readonly AudiencePart[]; campaign: Campaign },
): Promise<DoneResult> {
  const { quiz, rule, timeZone } = campaign;
  const known = new Set(campaign.members.map(({ userId }) => userId));
  const found = await findWhoTakesPart(context, { quiz_id: quiz.id }, { rule, timeZone, to: people, except: [] });
  // Whether this needed approval was decided on for these people, and not for one who was reinstated since.
  const joining = new Set(newcomers(people, campaign).map(({ userId }) => userId));
  const fresh = found.members.filter(({ userId }) => joining.has(userId));
  const wanted = new Set(found.members.map(({ userId }) => userId));
  const unassigned = campaign.members.filter(({ userId, assignment }) => assignment === 'failed' && wanted.has(userId));
  const others = { ...campaign, members: campaign.members.filter((member) => !unassigned.includes(member)) };
  const notAdded = (isNamed: boolean) =>
    whyNotAdded(others, found, {
      isNamed,
      platform: context.platform,
      nowMs: context.now(),
      timeZone: zoneOf(context),
    });
  const next = [viewStep(campaign.id)];
  if (fresh.length === 0 && unassigned.length === 0) {
    await context.campaigns.putRead(campaign, found.read);
    return unchanged(nobodyAddedMessage(campaign, notAdded(true)), [
      ...includeSteps(campaign, found, context.now()),
      ...next,
    ]);
  }
  const users = found.assign.users.filter(({ id }) => joining.has(id) || known.has(id));
  const assign = { ...found.assign, users };
  const areMany = assign.groups.length + users.length > assignedAtOnce;
  if (areMany) refuseWhileAssigning(campaign);
  const { problems, failed } = areMany ? { problems: [], failed: noOne } : await assignEach(context, quiz, assign);
  const members = fresh.filter(({ userId }) => !failed.has(userId));
  const assigned = unassigned.filter(({ userId }) => !failed.has(userId));
  const entering = new Set([...members, ...assigned].map(({ userId }) => userId));
  // The campaign ends if everyone else has passed, so these people come first.
  await context.campaigns.takeIn(
    campaign,
    {
      members: found.members.filter(({ userId }) => entering.has(userId)),
      assign: areMany ? assign : { groups: [], users: [] },
      areNamed: true,
    },
    context.actor.personId,
  );
  await context.campaigns.putRead(campaign, found.read);
  return {
    kind: 'done',
    message: addedMessage(campaign, markedNames(members), [
      areMany ? assigningWords(assign) : assignedWords(campaign, markedNames(assigned)),
      ...notAdded(false),
    ]),
    problems,
    next: [...includeSteps(campaign, found, context.now()), ...next],
  };
}

/** A button that takes the excuses of those back who were named and are excused. */
function includeSteps(campaign: Campaign, { members }: Pick<TakingPart, 'members'>, now: number): Step[] {
  const wanted = new Set(members.map(({ userId }) => userId));
  const people = campaign.members
    .filter((member) => wanted.has(member.userId) && personOf(member, campaign, now).state === 'excused')
    .map(({ userId }) => userId);
  return people.length === 0 ? [] : [runStep(say`Include`, includeInCampaign, { campaign: [campaign.id], people })];
}

/** @param others what became of others, a sentence each */
export function addedMessage({ quiz }: Pick<Campaign, 'quiz'>, names: readonly string[], others: Texts): string {
  const added = names.length > 0 && say`Added ${namedList(names)} to the campaign for ${named(quiz.name)}.`;
  return sentences([added, ...others]);
}

/** About members who could not get the quiz before. */
export function assignedWords({ quiz }: Pick<Campaign, 'quiz'>, names: readonly string[]): string | false {
  if (names.length === 0) return false;
  const [name, people] = [named(quiz.name), namedList(names)];
  return names.length === 1
    ? say`Assigned ${name} to ${people}. They get the messages of its campaign now.`
    : say`Assigned ${name} to ${people}. These people get the messages of its campaign now.`;
}

/** @param reasons a sentence for each, which names the campaign or its quiz */
export function nobodyAddedMessage({ quiz }: Pick<Campaign, 'quiz'>, reasons: readonly string[]): string {
  return reasons.length === 0
    ? say`Nobody was added to the campaign for ${named(quiz.name)}.`
    : [...reasons, say`Nobody was added.`].join(' ');
}

const noOne: ReadonlySet<string> = new Set();

type Assignment = { kind: 'group' | 'user' } & TakingPart['assign']['users'][number];

/** @returns `failed`: the users who do not have the quiz */
async function assignEach(
  { api, directory, call }: OperationContext,
  quiz: Campaign['quiz'],
  assign: TakingPart['assign'],
): Promise<{ problems: string[]; failed: ReadonlySet<string> }> {
  const all: Assignment[] = [
    ...assign.groups.map((group) => ({ kind: 'group' as const, ...group })),
    ...assign.users.map((user) => ({ kind: 'user' as const, ...user })),
  ];
  const { succeeded, problems } = await changeEach(all, {
    couldNot: (one) => say`Couldn’t assign it to ${namedTarget(one)}`,
    async change({ kind, id }) {
      if (kind === 'group') {
        await api.quizzes.assignGroup(quiz.id, id, call);
        return directory.quizGroups.change(quiz.id, id, true);
      }
      await api.users.assignQuiz(id, quiz.id, call);
      directory.users.edit(id, (user) => ({
        ...user,
        quizzes: [...user.quizzes, { quiz_id: quiz.id, name: quiz.name, date_assigned: null }],
      }));
    },
  });
  const done = new Set(succeeded);
  return { problems, failed: new Set(all.filter((one) => one.kind === 'user' && !done.has(one)).map(({ id }) => id)) };
}

const namesAtMost = 3;

/** For `namedList`, in sentences that are stored. */
const markedNames = (people: readonly { userId: string; name: string }[]) =>
  people.map(({ userId, name }) => markedPerson(userId, name));

/**
 * Why people who were named are not added to a campaign, a sentence for each reason.
 *
 * @param setting.isNamed whether no sentence before has named the campaign
 */
export function whyNotAdded(
  campaign: Campaign,
  { members, leftOut, completed }: Pick<TakingPart, 'members' | 'leftOut' | 'completed'>,
  setting: { isNamed: boolean; platform: PlatformWords; nowMs: number; timeZone: string },
): string[] {
  const { isNamed, platform, nowMs: now } = setting;
  const known = new Map(campaign.members.filter(isInside).map((member) => [member.userId, member]));
  const inIt = members.flatMap(({ userId }) => known.get(userId) ?? []);
  const { excused = [], others = [] } = Object.groupBy(inIt, (member) =>
    personOf(member, campaign, now).state === 'excused' ? 'excused' : 'others',
  );
  const quiz = named(campaign.quiz.name);
  const reasons: readonly [people: readonly string[], reason: (names: string, isOne: boolean) => string][] = [
    [
      markedNames(others),
      (names, isOne) =>
        isNamed
          ? say`${names} ${isOne ? 'is' : 'are'} in the campaign for ${quiz} already.`
          : say`${names} ${isOne ? 'is' : 'are'} in it already.`,
    ],
    [markedNames(excused), (names, isOne) => say`${names} ${isOne ? 'is' : 'are'} excused.`],
    [completed.map(({ name }) => name), (names) => completedSentence(names, completed, quiz, setting)],
    [leftOut.suspended, (names, isOne) => say`${names} ${isOne ? 'is' : 'are'} suspended.`],
    [
      leftOut.withoutUser.map(({ personId, name }) => markedPerson(personId, name)),
      (names, isOne) => say`${names} ${isOne ? 'isn’t' : 'aren’t'} in the quiz account.`,
    ],
    [
      leftOut.guests,
      (names, isOne) =>
        isOne ? say`${names} is a guest in ${platform.name}.` : say`${names} are guests in ${platform.name}.`,
    ],
  ];
  return reasons.flatMap(([people, reason]) =>
    people.length === 0 ? [] : [reason(namedList(people, namesAtMost), people.length === 1)],
  );
}

/** Of one person with the day, which tells whether it still counts for the reader. */
function completedSentence(
  names: string,
  completed: readonly Completed[],
  quiz: string,
  setting: { nowMs: number; timeZone: string },
): string {
  const [first, ...others] = completed;
  const havePassed = completed.every(({ did }) => did === 'passed');
  if (others.length > 0 || !first?.at)
    return havePassed ? say`${names} passed ${quiz} already.` : say`${names} submitted ${quiz} already.`;
  const day = dayInWords(first.at.getTime(), setting);
  return havePassed ? say`${names} passed ${quiz} on ${day}.` : say`${names} submitted ${quiz} on ${day}.`;
}

/** Why another person has to approve that people are added; null where none has to. */
export function approvalToAdd(people: readonly AudiencePart[], campaign: Pick<Campaign, 'members'>) {
  return approvalFor(newcomers(people, campaign), campaign.members.length);
}

/** Those who are not in the campaign, or not any more, each once. */
function newcomers(people: readonly AudiencePart[], { members }: Pick<Campaign, 'members'>): readonly AudiencePerson[] {
  const found = new Map(people.flatMap((part) => part.people.map((person) => [person.userId, person])));
  for (const member of members) if (isInside(member)) found.delete(member.userId);
  return [...found.values()];
}

/** Works out what taking in those who wait would do. It starts with a button on the answer, as a campaign does. */
export const takeIn = defineOperation({
  name: 'take-in',
  command: '/quiz-campaign take-in <campaign>',
  summary: 'Take in who has joined the audience of an ongoing campaign; shows what would happen first',
  title: say`Take people in`,
  ...ofPreview,
  right: 'edit_quizzes',
  forPeopleOnly: true,
  fields: { campaign: growingCampaign },
  async run(context, { campaign }) {
    const { candidates } = campaign;
    if (candidates === null) return unchanged(nobodyWaitsMessage(campaign), [viewStep(campaign.id)]);
    refuseWhileAssigning(campaign);
    const byId = new Map((await context.directory.users.fresh(context.call)).map((user) => [user.user_id, user]));
    const people = candidates.people.flatMap(({ userId }): AudiencePart[] => {
      const user = byId.get(userId);
      return user ? [{ kind: 'user', user, people: [] }] : [];
    });
    const { id, quiz, rule, timeZone, leads, audience, leftOut, except, words } = campaign;
    const read = await context.api.quizzes.get(quiz.id, context.call);
    const found = await findWhoTakesPart(context, read, { rule, timeZone, to: people, except: [] });
    const { takesMinutes } = found;
    const draft = { quiz, rule, timeZone, leads, audience, leftOut, except, words, takesMinutes };
    const plan = await planFor(context, found, draft);
    const overlaps = plan.overlaps.filter(({ campaignId }) => campaignId !== id);
    return previewOf(context, { ...plan, into: id, overlaps }, undefined, { warning: assignmentWarning(read) });
  },
});

/** A button that shows who waits to be taken in. */
export function reviewStep(campaignId: string): Step {
  return runStep(say`Review`, takeIn, { campaign: [campaignId] });
}

/** One batch at a time: its rows say who has the quiz. @throws {InvalidInputError} */
export function refuseWhileAssigning({ members, quiz }: Pick<Campaign, 'members' | 'quiz'>, field = 'campaign'): void {
  if (members.some(({ assignment }) => assignment === 'waiting'))
    throw new InvalidInputError(
      field,
      say`${named(quiz.name)} is still being assigned to others in this campaign. Try again in a few minutes.`,
    );
}

export function nobodyWaitsMessage({ quiz, rule }: Pick<Campaign, 'quiz' | 'rule'>): string {
  return rule.standing === null
    ? say`The campaign for ${named(quiz.name)} is one round: people who join later take part once you add them.`
    : say`Nobody waits to be taken into the campaign for ${named(quiz.name)}.`;
}
