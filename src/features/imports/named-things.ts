import { say } from '../../domain/said.ts';
import type { OperationContext } from '../../operations/context.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import type { ResolvedValue } from '../../operations/fields/field-kind.ts';
import { groupKind } from '../../operations/fields/group.ts';
import { quizKind } from '../../operations/fields/quiz.ts';
import { splitList } from '../../operations/typed-text.ts';

export interface NamedThing {
  id: string;
  name: string;
}

/** Finds the groups and quizzes that cells name, as commands do. Each different cell is looked up once. */
export interface NamedThings {
  /** @throws {InvalidInputError} where a name fits none or several */
  groups(cell: string): Promise<readonly NamedThing[]>;
  quizzes(cell: string): Promise<readonly NamedThing[]>;
}

export function createNamedThings(resolver: OperationContext): NamedThings {
  const groupOf = async (name: string) =>
    mapped(await groupKind.resolve([name], { kind: 'group', label: '' }, resolver), ({ group_id, group_name }) => ({
      id: group_id,
      name: group_name,
    }));
  const quizOf = async (name: string) =>
    mapped(await quizKind.resolve([name], { kind: 'quiz', label: '' }, resolver), ({ quiz_id, name: quizName }) => ({
      id: quiz_id,
      name: quizName,
    }));
  return {
    groups: onceEach((cell) => eachIn(cell, say`Groups`, groupOf)),
    quizzes: onceEach((cell) => eachIn(cell, say`Quizzes`, quizOf)),
  };
}

function mapped<V>(resolved: ResolvedValue<V>, thing: (value: V) => NamedThing): ResolvedValue<NamedThing> {
  return resolved.kind === 'value' ? { kind: 'value', value: thing(resolved.value) } : resolved;
}

function onceEach<Found>(find: (cell: string) => Promise<Found>): (cell: string) => Promise<Found> {
  const known = new Map<string, Promise<Found>>();
  return (cell) => {
    const found = known.get(cell) ?? find(cell);
    known.set(cell, found);
    return found;
  };
}

/** Names can contain commas, so a cell is parted only where the whole of it names nothing. */
async function eachIn(
  cell: string,
  label: string,
  find: (name: string) => Promise<ResolvedValue<NamedThing>>,
): Promise<NamedThing[]> {
  if (cell === '') return [];
  const whole = await find(cell);
  if (whole.kind === 'value') return [whole.value];
  const parts = splitList(cell.replaceAll(/[|\r\n]/g, ';')).map(withoutQuotes);
  const things = new Map<string, NamedThing>();
  for (const part of parts) {
    const found = part === cell ? whole : await find(part);
    if (found.kind !== 'value') throw new InvalidInputError('', `${label}: ${unclearName(part, found)}`);
    things.set(found.value.id, found.value);
  }
  return [...things.values()];
}

function withoutQuotes(name: string): string {
  return name.replace(/^(?:"(.+)"|“(.+)”|„(.+)[“”]|«\s?(.+?)\s?»|'(.+)'|‘(.+)’)$/u, '$1$2$3$4$5$6');
}

function unclearName(typed: string, found: Exclude<ResolvedValue<NamedThing>, { kind: 'value' }>): string {
  if (found.kind === 'invalid') return found.message;
  const { noun, candidates, isAlike, count } = found;
  const names = namedList(candidates.slice(0, 5).map(({ label }) => label));
  if (isAlike)
    return noun === 'quiz'
      ? say`${named(typed)} fits ${count} quizzes, such as ${names}. Write the whole name.`
      : say`${named(typed)} fits ${count} groups, such as ${names}. Write the whole name.`;
  const none = noun === 'quiz' ? say`No quiz is called ${named(typed)}.` : say`No group is called ${named(typed)}.`;
  return candidates.length === 0 ? none : `${none} ${say`The nearest: ${names}.`}`;
}
