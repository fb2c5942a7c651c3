import type { Quiz, Group, User } from '../../../quiz-api/records.ts';
import { byName } from '../../../domain/record-names.ts';
import { markedPerson } from '../../../domain/said.ts';
import { markedName, publicName } from '../../../directory/names.ts';
import type { Obligation, Rule } from '../../../domain/campaign.ts';
import type { CampaignChangePlan, CampaignPlan, PlannedMember } from '../../../domain/campaign-plan.ts';
import { neededFrom, obligationOfNewcomer, type CampaignRule } from '../../../obligations/people.ts';
import { completes, type ObligationFacts } from '../../../obligations/obligation.ts';
import { isSubmitted, submittedMs, type QuizResponse } from '../../../quiz-api/responses.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { valueOf, type ResolvedValue } from '../../../operations/fields/field-kind.ts';
import { partName, type AudiencePart, type AudiencePerson } from '../../../operations/fields/people.ts';
import type { ReachedPerson } from '../../../operations/services/people.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { hasQuiz } from '../../../directory/quiz-groups.ts';
import { attemptsOf } from '../../../directory/whose-attempt.ts';

/** The people of a campaign, and who of those that were named is none of them. */
export type TakingPart = Awaited<ReturnType<typeof findWhoTakesPart>>;

export interface Completed {
  name: string;
  did: 'passed' | 'submitted';
  at: Date | null;
}

/**
 * Finds out who takes part, with a request each for users, the groups of the quiz, and its responses.
 *
 * @param chosen.rule `completeWhen` undefined: passed where an attempt at the quiz was graded, else submitted
 */
export async function findWhoTakesPart(
  context: OperationContext,
  quiz: Pick<Quiz, 'quiz_id'>,
  chosen: {
    rule: Omit<Rule, 'completeWhen'> & { completeWhen: Rule['completeWhen'] | undefined };
    timeZone: string;
    to: readonly AudiencePart[];
    except: readonly AudiencePart[];
  },
) {
  const { api, directory, call } = context;
  const since = context.now();
  const [users, groups, responses] = await Promise.all([
    directory.users.fresh(call),
    api.quizzes.groups(quiz.quiz_id, call),
    api.responses.list(quiz.quiz_id, call),
  ]);
  directory.quizGroups.put(quiz.quiz_id, groups);
  const completeWhen =
    chosen.rule.completeWhen ??
    (responses.some(({ outcome }) => outcome === 'passed' || outcome === 'failed') ? 'passed' : 'submitted');

  const named = usersOf(chosen.to, users, context);
  const excepted = new Set(usersOf(chosen.except, users, context).map(({ user_id }) => user_id));
  const attempts = attemptsOf(users, responses);
  const rule: Rule = { ...chosen.rule, completeWhen };
  const obligations = new Map(
    named.map(({ user_id }) => [
      user_id,
      obligationWith(attempts.get(user_id) ?? [], { rule, timeZone: chosen.timeZone }, since),
    ]),
  );
  const reasons = Map.groupBy(named, (user) => {
    if (excepted.has(user.user_id)) return 'excepted';
    if (user.suspended) return 'suspended';
    // Where the campaign stands, people who have passed are asked again when their pass ends.
    return obligations.get(user.user_id)?.state === 'done' && rule.standing === null ? 'passed' : 'member';
  });
  const namesOf = (reason: 'excepted' | 'suspended' | 'passed'): readonly string[] =>
    (reasons.get(reason) ?? []).toSorted((a, b) => byName(publicName(a), publicName(b))).map(markedName);
  const taking = (reasons.get('member') ?? []).toSorted((a, b) => byName(publicName(a), publicName(b)));
  const members = new Set(taking);
  const outside = chosen.to.filter((part) => part.kind === 'members');
  return {
    rule,
    /** What the service had at `since`, in milliseconds since the epoch: all users, and the responses of the quiz. */
    read: { users, responses, since },
    users: taking,
    members: await plannedMembers(context, taking, obligations),
    assign: assignmentsFor(quiz, chosen.to, taking, excepted, {
      users,
      groups,
      isForLater: ({ user_id }) => {
        const obligation = obligations.get(user_id);
        return rule.standing !== null && obligation !== undefined && neededFrom(obligation) > since;
      },
    }),
    leftOutIds: named.filter((user) => !members.has(user)).map(({ user_id }) => user_id),
    /** Of those who have passed: until when, where passes do not count for good. */
    valid: (reasons.get('passed') ?? [])
      .flatMap((user) => {
        const until = obligations.get(user.user_id)?.validUntil;
        return until === undefined ? [] : [{ user, until }];
      })
      .toSorted((a, b) => a.until - b.until || byName(publicName(a.user), publicName(b.user)))
      .map(({ user, until }) => ({ name: markedName(user), until })),
    /** What the people who have it already did last, and when. */
    completed: (reasons.get('passed') ?? []).map((user) =>
      completion(markedName(user), attempts.get(user.user_id) ?? [], completeWhen),
    ),
    leftOut: {
      passed: namesOf('passed'),
      suspended: namesOf('suspended'),
      excepted: namesOf('excepted'),
      guests: [...new Map(outside.flatMap(({ guests }) => guests).map((guest) => [guest.personId, guest.name]))]
        .toSorted(([, a], [, b]) => byName(a, b))
        .map(([personId, name]) => markedPerson(personId, name)),
      withoutUser: [
        ...new Map(
          outside.flatMap(({ withoutUser }) => withoutUser).map((person) => [person.personId, person]),
        ).values(),
      ].toSorted((a, b) => byName(a.name, b.name)),
    },
    /** Null where people were named one by one. */
    collectives: collectivesIn(chosen.to, reasons, users, context),
    takesMinutes: usualMinutes(responses),
  };
}

/** Each user once, as the service has them now. */
function usersOf(parts: readonly AudiencePart[], users: readonly User[], { visibility }: OperationContext): User[] {
  const chosen = new Set<string>();
  const groups = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'group') groups.add(part.group.group_id);
    else for (const user of part.kind === 'user' ? [part.user] : part.users) chosen.add(user.user_id);
  }
  return users.filter(
    (user) =>
      (chosen.has(user.user_id) || user.groups.some(({ group_id }) => groups.has(group_id))) &&
      visibility.userByName(user),
  );
}

/** The named groups, channels and user groups, and how many people in them take part, or have passed. */
function collectivesIn(
  parts: readonly AudiencePart[],
  reasons: ReadonlyMap<string, readonly User[]>,
  users: readonly User[],
  context: OperationContext,
): CampaignPlan['collectives'] {
  const collectives = parts.filter(
    (part) => part.kind === 'group' || (part.kind === 'members' && parseMention(part.mention)?.kind !== 'person'),
  );
  if (collectives.length === 0) return null;
  const inThem = new Set(usersOf(collectives, users, context));
  const count = (reason: string) => reasons.get(reason)?.filter((user) => inThem.has(user)).length ?? 0;
  return { names: collectives.map(partName), people: count('member'), of: inThem.size, passed: count('passed') };
}

/** How somebody with these attempts stands in a campaign that begins now. Without a date, nobody knows until when one counts. */
export function obligationWith(attempts: readonly QuizResponse[], rule: CampaignRule, now: number): Obligation {
  return obligationOfNewcomer(submittedOf(attempts, rule), rule, now);
}

function submittedOf(
  attempts: readonly QuizResponse[],
  { rule: { validity } }: CampaignRule,
): ObligationFacts['attempts'] {
  return attempts.flatMap(({ outcome, date_submitted }) =>
    outcome === null || (date_submitted === null && validity !== null)
      ? []
      : [{ outcome, at: date_submitted?.getTime() ?? 0 }],
  );
}

function completion(name: string, attempts: readonly QuizResponse[], completeWhen: Rule['completeWhen']): Completed {
  const completing = attempts.filter(({ outcome }) => outcome !== null && completes(outcome, completeWhen));
  const [last] = completing.toSorted((a, b) => submittedMs(b) - submittedMs(a));
  return {
    name,
    did: completeWhen === 'passed' && last?.outcome === 'passed' ? 'passed' : 'submitted',
    at: last?.date_submitted ?? null,
  };
}

/** With fewer attempts, one that was left open for hours would decide. */
const timedAtLeast = 5;

/** The median of the attempts; null where the service times too few. */
function usualMinutes(responses: readonly QuizResponse[]): number | null {
  const seconds = responses
    .filter(isSubmitted)
    .flatMap(({ duration }) => (duration === null || duration <= 0 ? [] : [duration]))
    .toSorted((a, b) => a - b);
  const median = seconds[Math.floor(seconds.length / 2)];
  return median === undefined || seconds.length < timedAtLeast ? null : Math.max(1, Math.round(median / 60));
}

async function plannedMembers(
  { reach, timeZone, call }: OperationContext,
  users: readonly User[],
  obligations: ReadonlyMap<string, Obligation>,
): Promise<PlannedMember[]> {
  const reached = await reach(users, { call });
  return users.map((user) => ({
    ...asMember(user, reached.get(user.user_id), timeZone),
    obligation: obligations.get(user.user_id) ?? { state: 'due' },
  }));
}

/** What a campaign knows of a user. @param timeZone of people who are not on the platform */
export function asMember(user: User, person: ReachedPerson | undefined, timeZone: string) {
  return {
    userId: user.user_id,
    name: publicName(user),
    groups: user.groups.map(({ group_name }) => group_name).filter((name) => name !== ''),
    personId: person?.personId ?? null,
    timeZone: person?.timeZone ?? timeZone,
  };
}

/**
 * Who has to get the quiz. A group that was named gets it as a group, with a single request, where several of its members
 * lack it and none is excepted, or has a pass that counts where the campaign stands. In a round, members who passed do not keep it
 * from that, nor do suspended members: the group was named.
 */
function assignmentsFor(
  quiz: Pick<Quiz, 'quiz_id'>,
  to: readonly AudiencePart[],
  taking: readonly User[],
  excepted: ReadonlySet<string>,
  {
    users,
    groups,
    isForLater,
  }: { users: readonly User[]; groups: readonly Group[]; isForLater: (user: User) => boolean },
): CampaignPlan['assign'] {
  const lacking = new Map(
    taking
      .filter((user) => !isForLater(user) && !hasQuiz(user, quiz.quiz_id, groups))
      .map((user) => [user.user_id, user]),
  );
  const assigned: Group[] = [];
  for (const part of to) {
    if (part.kind !== 'group') continue;
    const { group } = part;
    const members = users.filter((user) => user.groups.some(({ group_id }) => group_id === group.group_id));
    const without = members.filter(({ user_id }) => lacking.has(user_id));
    if (without.length < 2 || members.some((user) => excepted.has(user.user_id) || isForLater(user))) continue;
    assigned.push(group);
    for (const { user_id } of without) lacking.delete(user_id);
  }
  return {
    groups: assigned.map(({ group_id, group_name }) => ({ id: group_id, name: group_name })),
    users: [...lacking.values()].map((user) => ({ id: user.user_id, name: publicName(user) })),
  };
}

/** More people are written to only after another person has looked at the list. */
const peopleAtOnce = 100;

/**
 * Why another person has to approve that people take part in a campaign; null where none has to. Many people count more:
 * then administrators need approval, too.
 *
 * @param already how many people are in it
 */
export function approvalFor(
  people: readonly Pick<AudiencePerson, 'isTrained'>[],
  already = 0,
): CampaignPlan['approval'] {
  if (people.length === 0) return null;
  if (already + people.length > peopleAtOnce) return 'many people';
  return people.every(({ isTrained }) => isTrained) ? null : 'other people';
}

/** A plan as its maker may start it now: whoever does not train all of the people whom it asks needs another person for it. */
export async function judgedFor<Content extends CampaignPlan | CampaignChangePlan>(
  content: Content,
  asked: readonly { userId: string }[],
  { directory, visibility, call }: OperationContext,
): Promise<ResolvedValue<Content>> {
  const users = await directory.users.names(call);
  const isTrained = asked.every(({ userId }) => {
    const user = users.byId(userId);
    return user === undefined || visibility.trains(user);
  });
  return valueOf(isTrained ? content : { ...content, approval: 'other people' });
}

/** Whether a person may read who has not taken a quiz. */
export function canLead({ suspended, edit_quizzes, user_type }: User): boolean {
  return !suspended && edit_quizzes && (user_type === 'trainer' || user_type === 'administrator');
}
