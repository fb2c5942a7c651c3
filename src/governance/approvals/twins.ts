import { publicName } from '../../directory/names.ts';
import { endOfId } from '../../directory/tell-apart.ts';
import type { Target } from '../../domain/approval-request.ts';
import { named } from '../../domain/sentence.ts';
import type { AnyContext } from '../../operations/context.ts';
import { quizTraits } from '../../operations/fields/quiz.ts';
import { say, listed } from '../../domain/said.ts';
import { typeInWords } from '../../operations/wording/words.ts';

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
export async function twinSentences(
  targets: readonly Target[],
  { directory, visibility, call }: Pick<AnyContext, 'directory' | 'visibility' | 'call'>,
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
