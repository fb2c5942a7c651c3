import { maskAddresses } from '../domain/address.ts';
import { markedPerson, say, named, namedPerson, isBlank } from '../domain/said.ts';
import { nameOrId, nameWithoutAddresses } from '../domain/record-names.ts';
import type { User } from '../quiz-api/records.ts';

/** The first and last name, without an e-mail address that was entered as one; empty where there is none. */
export function ownName(user: Pick<User, 'first_name' | 'last_name'>): string {
  return nameWithoutAddresses(user.first_name, user.last_name);
}

/** The name of a user for everyone who may choose them. Never the user name, which is mostly an e-mail address. */
export function publicName(user: Pick<User, 'first_name' | 'last_name' | 'user_id'>): string {
  return nameOrId('user', ownName(user), user.user_id);
}

/** The name of a user whose record is asked about, approved or recorded: without one, the user name, its address masked. */
export function recordName(user: Pick<User, 'first_name' | 'last_name' | 'user_name' | 'user_id'>): string {
  return [ownName(user), maskAddresses(user.user_name)].find((name) => !isBlank(name)) ?? publicName(user);
}

/** The name of a user for people who may see the record: the full name, the user name if there is none, or the ID. */
export function fullName(
  user: Pick<User, 'first_name' | 'last_name' | 'user_name'> & Partial<Pick<User, 'user_id'>>,
): string {
  const name = `${user.first_name} ${user.last_name}`.trim();
  return isBlank(name) ? nameOrId('user', user.user_name, user.user_id) : name;
}

/** The public name of a user, marked as theirs (`domain/said.ts`): for what is stored. */
export function markedName(user: Pick<User, 'first_name' | 'last_name' | 'user_id'>): string {
  return markedPerson(user.user_id, publicName(user));
}

type Named = Pick<User, 'first_name' | 'last_name' | 'user_name'> & Partial<Pick<User, 'user_id'>>;

/** The name of a user within a sentence, likewise. */
export function namedUser<Whose extends Named>(user: Whose, nameOf: (user: Whose) => string = fullName): string {
  const name = nameOf(user);
  return user.user_id === undefined ? named(name) : namedPerson({ userId: user.user_id, name });
}

/** Letters that Unicode does not decompose, and the punctuation that phones substitute for typed one. */
const plainForms: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
  '−': '-',
};
const notPlain = new RegExp(`[${Object.keys(plainForms).join('')}]`, 'gu');

/**
 * Accents, Hebrew and Arabic vowel points, and invisible characters (direction, joining). The vowel signs of Indic scripts
 * and the voicing marks of Japanese distinguish words, so they stay.
 */
const marks = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]|\p{Cf}/gv;

const isTypedPlainly = (name: string) => /^[!-~]*(?: [!-~]+)*$/.test(name);

/** A name in the form in which names are compared: lower case, without accents, with single spaces. */
export function plainName(name: string): string {
  if (isTypedPlainly(name)) return name.toLowerCase();
  return name
    .normalize('NFKD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(notPlain, (letter) => plainForms[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Whether a UTF-16 unit belongs to a word. */
export const isWordUnit = Uint8Array.from({ length: 2 ** 16 }, (_, unit) =>
  Number(/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))),
);

/** Whether a word of the text begins with `beginning`. */
export function hasWordThatBegins(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning);
  while (at > 0 && isWordUnit[text.charCodeAt(at - 1)]) at = text.indexOf(beginning, at + 1);
  return at >= 0;
}

/** Something with a name that others may have too. */
interface NamedThing {
  name: string;
  id: string;
  /** What it is besides, each at the same place for all; empty where there is nothing to say. */
  traits: readonly string[];
}

/** As much of an ID as tells things apart for people. */
export function endOfId(id: string): string {
  return id.length <= lettersOfId ? id : `…${id.slice(-lettersOfId)}`;
}

const lettersOfId = 4;

/**
 * The names of things, and after the same name what tells them apart: the traits in which they differ, and the end of the ID
 * where they differ in none.
 */
export function tellApart(things: readonly NamedThing[]): string[] {
  const alike = Map.groupBy(things, ({ name }) => name.toLowerCase());
  return things.map((thing) => {
    const twins = alike.get(thing.name.toLowerCase()) ?? [];
    if (twins.length < 2) return thing.name;
    const differing = thing.traits.filter(
      (trait, at) => trait !== '' && twins.some((twin) => twin.traits[at] !== thing.traits[at]),
    );
    const same = twins.filter(({ traits }) => thing.traits.every((trait, at) => trait === traits[at]));
    return [thing.name, ...differing, ...(same.length > 1 ? [say`ID ${endOfId(thing.id)}`] : [])].join(', ');
  });
}
