import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import { named, namedTarget, say, inEnglish, amount, asSaid, listed } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import { addressFacts } from '../../operations/fields/user.ts';
import type { Operation } from '../../operations/operation.ts';
import { detailsOf, targetsOf, type OperationInput } from '../perform/meaning.ts';
import { peopleOf } from '../../obligations/people.ts';
import { changedFact, typeInWords } from '../../operations/wording/words.ts';
import { publicName, endOfId } from '../../directory/names.ts';
import { quizTraits } from '../../operations/fields/things.ts';

/** What the operation would do now, and to what. */
export async function previewOf(
  operation: Operation,
  input: OperationInput,
  context: OperationContext,
): Promise<ChangePreview> {
  const effect = (await operation.effect?.(context, input)) ?? asSaid(operation.summary);
  const targets = targetsOf(operation, input);
  return {
    ...(operation.action && { action: operation.action(input) }),
    effect: [effect, ...(await campaignSentences(targets, context)), ...(await twinSentences(targets, context))].join(
      ' ',
    ),
    details: detailsOf(operation, input),
    targets,
    ...(await operation.review?.(context, input)),
  };
}

/** In how many campaigns a person is who is changed: a number, since not everybody who reads it may read about campaigns. */
async function campaignSentences(
  [target, ...others]: readonly Target[],
  { campaigns, now }: Pick<OperationContext, 'campaigns' | 'now'>,
): Promise<string[]> {
  if (target?.kind !== 'user' || others.length > 0) return [];
  const running = (await campaigns.all()).filter(({ endedAt }) => endedAt === null);
  const found = await Promise.all(running.map(async ({ id }) => campaigns.byId(id)));
  const count = found.filter(
    (campaign) =>
      campaign &&
      peopleOf(campaign, now()).some(({ member, state }) => member.userId === target.id && state !== 'not required'),
  ).length;
  return count === 0 ? [] : [say`They’re in ${amount(count)} running ${count === 1 ? 'campaign' : 'campaigns'}.`];
}

/** The preview as the person may see it: without the addresses of users whose record they may not see. */
export async function visiblePreview(
  preview: ChangePreview,
  { directory, visibility, call }: Pick<OperationContext, 'directory' | 'visibility' | 'call'>,
): Promise<ChangePreview> {
  const users = await directory.users.names(call);
  return withoutAddresses(preview, (userId) => {
    const user = users.byId(userId);
    return user !== undefined && visibility.user(user);
  });
}

/** The preview without the addresses of users, except those for whom `isShown`. */
export function withoutAddresses(
  preview: ChangePreview,
  isShown: (userId: string) => boolean = () => false,
): ChangePreview {
  const factsOf = ({ kind, id, facts }: Target) =>
    kind === 'user' && isShown(id)
      ? facts
      : Object.fromEntries(Object.entries(facts).filter(([fact]) => !addressFacts.includes(fact)));
  return { ...preview, targets: preview.targets.map((target) => ({ ...target, facts: factsOf(target) })) };
}

/** What differs from an earlier preview, a sentence (`domain/said.ts`) for each change. */
export function changesBetween(before: ChangePreview, now: ChangePreview): string[] {
  const changes = now.targets.flatMap((target) => {
    const old = before.targets.find(({ kind, id }) => kind === target.kind && id === target.id);
    if (old === undefined) return [];
    return Object.entries(target.facts)
      .filter(([fact, value]) => old.facts[fact] !== value)
      .map(([fact, value]) => changedFact(namedTarget(old), fact, { was: old.facts[fact] ?? '', is: value }));
  });
  if (now.changes) return [...now.changes, ...changes];
  if (changes.length === 0 && inEnglish(before.effect) !== inEnglish(now.effect))
    return [say`Before: ${before.effect}`];
  return changes;
}

interface Thing {
  name: string;
  /** Only what everybody who reads a request may know. */
  traits: readonly string[];
  isSeen: boolean;
}

/**
 * What tells targets apart from others of the same name that the person sees: a sentence for each that has a twin. Requests are
 * posted in channels, so users are told apart without their addresses.
 */
async function twinSentences(
  targets: readonly Target[],
  { directory, visibility, call }: Pick<OperationContext, 'directory' | 'visibility' | 'call'>,
): Promise<string[]> {
  const kinds = new Set(targets.map(({ kind }) => kind));
  const things: Partial<Record<Target['kind'], (id: string) => { own: Thing; twins: number } | undefined>> = {
    ...(kinds.has('quiz') && {
      quiz: among(await directory.quizzes.names(call), (quiz) => ({
        name: quiz.name,
        traits: quizTraits(quiz),
        isSeen: visibility.quiz(quiz),
      })),
    }),
    ...(kinds.has('user') && {
      user: among(await directory.users.names(call), (user) => ({
        name: publicName(user),
        traits: [typeInWords(user.user_type), listed(user.groups.map(({ group_name }) => group_name))],
        isSeen: visibility.userByName(user),
      })),
    }),
    ...(kinds.has('group') && {
      group: among(await directory.groups.names(call), (group) => ({
        name: group.group_name,
        traits: [],
        isSeen: visibility.groupByName(group),
      })),
    }),
  };
  return targets.flatMap(({ kind, id }) => {
    const found = things[kind]?.(id);
    if (found === undefined || found.twins === 0) return [];
    const facts = [...found.own.traits.filter((trait) => trait !== ''), say`ID ${endOfId(id)}`].join(', ');
    return [`${another(kind, named(found.own.name))} ${say`This one: ${facts}.`}`];
  });
}

function another(kind: Target['kind'], name: string): string {
  if (kind === 'quiz') return say`There’s another quiz called ${name}.`;
  return kind === 'user' ? say`There’s another user called ${name}.` : say`There’s another group called ${name}.`;
}

/** Finds a thing, and how many others that the person sees have its name. */
function among<Item>(
  names: { byId(id: string): Item | undefined; named(name: string): readonly Item[] },
  describe: (item: Item) => Thing,
): (id: string) => { own: Thing; twins: number } | undefined {
  return (id) => {
    const item = names.byId(id);
    if (item === undefined) return undefined;
    const own = describe(item);
    const isTwin = (other: Thing) => other.isSeen && other.name.toLowerCase() === own.name.toLowerCase();
    const twins = names.named(own.name).filter((other) => other !== item && isTwin(describe(other)));
    return { own, twins: twins.length };
  };
}
