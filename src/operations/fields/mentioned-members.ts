import type { OperationContext } from '../context.ts';
import type { Actor, Nobody } from '../../directory/identity.ts';
import type { User } from '../../quiz-api/records.ts';
import { forEachAtOnce } from '../../time/timers.ts';
import { formatMention, mentionsInWords, type Mention } from '../typed-text.ts';
import { invalid, valueOf, type ResolvedValue } from './field-kind.ts';
import { choosable } from './user.ts';
import { amount, countOf, listed, named, say } from '../../domain/said.ts';

/** People in a channel or user group, and people of a change. */
export const membersAtMost = 5_000;
const lookUpsAtOnce = 4;

/** A channel or user group whose people were named by naming it. */
export interface MentionedMembers {
  /** As people write it: `#training`, `@kitchen-team`. */
  name: string;
  /** Those with a user in the quiz account. */
  users: readonly User[];
  /** Names of its people who have no user in the quiz account, without guests, bots and people of other companies. */
  withoutUser: readonly string[];
}

/** How many people they have: “⁨#training⁩ has 12 people”. */
export function membersInWords(members: readonly MentionedMembers[]): string {
  return listed(members.map(({ name, users }) => say`${named(name)} has ${countOf(users.length, 'person', 'people')}`));
}

/** Why a full member of the workspace has no user in the quiz account. */
const unexpected: ReadonlySet<Nobody> = new Set(['no e-mail address', 'no quiz user', 'several quiz users']);

/** Whether a full member of the workspace has no user in the quiz account. */
export function isWithoutUser({ nobody }: Actor): boolean {
  return nobody !== undefined && unexpected.has(nobody);
}

/** The users of the people in a mentioned channel or user group. Asks the service for the list of users at most. */
export async function resolveMembers(
  typed: string,
  mention: Mention,
  resolver: OperationContext,
): Promise<ResolvedValue<MentionedMembers>> {
  const found = await findMembers(mention, resolver, membersAtMost);
  if ('problem' in found) return invalid(found.problem ?? tooMany(mentionsInWords(typed)));
  const name = mentionsInWords(found.mention);
  const accepts = choosable(resolver.visibility);
  const users = new Map(
    found.people.flatMap(({ user }) => (user && accepts(user) ? [[user.user_id, user] as const] : [])),
  );
  if (users.size === 0) return invalid(say`Nobody in ${name} has a user in the quiz account.`);
  return valueOf({
    name,
    users: [...users.values()],
    withoutUser: found.people.filter(isWithoutUser).map(({ name: person = '' }) => person),
  });
}

/**
 * The people in a mentioned channel or user group, or the mentioned person, and who they are in the quiz account. Asks the
 * service for the list of users at most.
 * @returns `mention`: with its name, as `formatMention` writes it. `problem`: a sentence that says why they are not known; undefined
 * where there are more than `atMost`
 */
export async function findMembers(
  mention: Mention,
  resolver: OperationContext,
  atMost: number,
): Promise<{ people: Actor[]; mention: string } | { problem: string | undefined }> {
  const members = await resolver.membersOf(mention, resolver.actor.personId, { atMost });
  if ('problem' in members) return members;
  if (members.personIds.length > atMost) return { problem: undefined };
  await Promise.all([resolver.directory.users.fresh(resolver.call), resolver.identity.learn(members.personIds)]);
  return {
    people: await lookUp(members.personIds, resolver),
    mention: formatMention({ ...mention, name: mention.name ?? members.name }),
  };
}

/** @param name of the channel or user group, such as “#training” */
export function tooMany(name: string): string {
  return say`${name} has more than ${amount(membersAtMost)} people, and that’s the limit. Put them in a group of the quiz account, and use the group.`;
}

/** The same about people who were chosen one by one. */
export function tooManyChosen(): string {
  return say`You chose more than ${amount(membersAtMost)} people, and that’s the limit. Put them in a group of the quiz account, and use the group.`;
}

async function lookUp(personIds: readonly string[], { identity, call }: OperationContext): Promise<Actor[]> {
  const people: Actor[] = [];
  await forEachAtOnce(personIds, lookUpsAtOnce, async (personId) => {
    people.push(await identity.actorOf(personId, { fresh: false, isListed: true, call }));
  });
  return people;
}
