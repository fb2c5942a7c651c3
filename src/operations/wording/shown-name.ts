import { isBlank, shortText, shortName, inEnglish, say } from '../../domain/said.ts';
import { nameOrId, guestName } from '../../domain/record-names.ts';
import { erasedName } from '../../domain/sealed-entry.ts';
import { publicName } from '../../directory/names.ts';
import type { OperationContext } from '../context.ts';

const longestQuizName = 100;
const longestListedName = 60;
/** UTF-16 units; a longer character is many signs on top of each other. */
const longestCharacter = 16;

/** The name of a respondent on one line, or only its initials; never empty. */
export function shownName(name: string, showsNames: boolean): string {
  const line = shortName(inEnglish(name), Infinity);
  if (isBlank(line) || line === guestName) return say`Guest`;
  if (line === erasedName) return say`an erased person`;
  return showsNames ? shortName(line) : initialsOf(line);
}

/** The same in a list of people, no longer than 60 characters as it is sent. */
export function listedName(name: string, showsNames: boolean): string {
  return shortText(shownName(name, showsNames), longestListedName);
}

/** A quiz’s name in a heading or a list; never empty, and no longer than 100 characters as it is sent. */
export function shownQuizName(quizName: string): string {
  return shortText(nameOrId('quiz', quizName), longestQuizName);
}

/** `R. A.`: of the first and the last word, and of each the first letter as a reader sees it. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/);
  const named = words.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = '', ...others] = named.length > 0 ? named : words;
  return [first, ...others.slice(-1)].map((word) => `${initialOf(word)}.`).join(' ');
}

function initialOf(word: string): string {
  const from = Math.max(0, word.search(/[\p{L}\p{N}]/u));
  const [character] = new Intl.Segmenter().segment(word.slice(from, from + 2 * longestCharacter));
  const segment = character?.segment ?? '';
  const initial = segment.length > longestCharacter ? String.fromCodePoint(segment.codePointAt(0) ?? 0) : segment;
  return initial.toLocaleUpperCase('en');
}

/** The names of people of the platform, by their IDs: those of their users, where they have one. */
export async function namesOfPeople(
  { identity, call }: Pick<OperationContext, 'identity' | 'call'>,
  personIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(personIds)].map(async (id) => {
    const { user, name } = await identity.actorOf(id, { fresh: false, isListed: true, call });
    return [id, user ? publicName(user) : nameOrId('person', name ?? '')] as const;
  });
  return new Map(await Promise.all(names));
}
