import type { UserType } from '../../quiz-api/users.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { meaningAmong, type Meaning } from '../../operations/other-words/meanings.ts';
import { mentionsInWords, partsOf, quote, type Token } from '../../operations/typed-text.ts';
import { userTypes } from './user-options.ts';
import { say } from '../../domain/said.ts';
import { typeInWords } from '../../operations/wording/words.ts';

/** Which users a list shows. A property that is missing narrows nothing. */
export interface UserFilter {
  userType?: UserType;
  isSuspended?: boolean;
  /** The name of a group. */
  group?: string;
  /** Words of a name or an address. */
  name?: string;
}

const typeWords: Readonly<Record<string, UserType>> = Object.fromEntries([
  ...userTypes.flatMap(({ value }) => [
    [value, value],
    [`${value}s`, value],
  ]),
  ['admin', 'administrator'],
  ['admins', 'administrator'],
]);

/**
 * Reads a filter as people type it: `suspended`, `active`, `trainers`, `in Kitchen` and words of a name or an address, in any
 * order. Quoted text is a name.
 * @throws {InvalidInputError}
 */
export function parseUserFilter(text: string): UserFilter {
  const filter: UserFilter = {};
  const names: string[] = [];
  const group: string[] = [];
  let isInGroup = false;
  for (const { kind, text: part } of inEnglishWords(partsOf(text))) {
    const word = kind === 'word' ? part.toLowerCase() : '';
    const userType = typeWords[word];
    if (userType) {
      if (filter.userType && filter.userType !== userType)
        throw new InvalidInputError(
          'filter',
          say`Nobody is both ${typeInWords(filter.userType)} and ${typeInWords(userType)}. Choose one of them.`,
        );
      filter.userType = userType;
    } else if (word === 'suspended' || word === 'active') {
      filter.isSuspended = word === 'suspended';
    } else if (word === 'in' && !isInGroup && group.length === 0) {
      isInGroup = true;
      continue;
    } else {
      (isInGroup ? group : names).push(mentionsInWords(part));
      // A quoted name is whole.
      if (kind === 'word') continue;
    }
    isInGroup = false;
  }
  if (isInGroup && group.length === 0)
    throw new InvalidInputError('filter', say`After “in” comes a group, for example in Kitchen.`);
  const [name, groupName] = [names, group].map((words) => words.filter((one) => one !== '').join(' '));
  return { ...filter, ...(groupName && { group: groupName }), ...(name && { name }) };
}

const stateWords = ['suspended', 'active'];
const filterWords = [...userTypes.map(({ value }) => value), ...stateWords, 'in'];

/** The tokens with the English for words of other languages; “in” only where no name stands before it, as in “en Cocina”. */
function inEnglishWords(tokens: readonly Token[]): Pick<Token, 'kind' | 'text'>[] {
  const read: Pick<Token, 'kind' | 'text'>[] = [];
  let hasName = false;
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]!;
    const isOwn = isFilterWord(token);
    const meaning = meaningInFilter(tokens, at, read);
    const length = meaning?.length ?? 1;
    const isIn = meaning?.english === 'in';
    const isMeant = meaning !== undefined && !(isIn && (hasName || at + length === tokens.length));
    if (!isMeant && !isOwn) hasName = true;
    read.push(isMeant ? { kind: 'word', text: meaning.english } : token);
    at += isMeant ? length : 1;
  }
  return read;
}

/** “In Administration” is a group, even in a language in which administrators are called so. */
function meaningInFilter(
  tokens: readonly Token[],
  at: number,
  before: readonly Pick<Token, 'kind' | 'text'>[],
): Meaning | undefined {
  if (
    tokens
      .slice(at, at + 2)
      .map(wordOf)
      .join(' ') === 'not suspended'
  )
    return { english: 'active', length: 2 };
  if (isFilterWord(tokens[at]!) || wordOf(before.at(-1)) === 'in') return undefined;
  return meaningAmong(tokens, at, before.some((token) => wordOf(token) === 'in') ? stateWords : filterWords);
}

function wordOf(token: Pick<Token, 'kind' | 'text'> | undefined): string {
  return token?.kind === 'word' ? token.text.toLowerCase() : '';
}

function isFilterWord({ kind, text }: Token): boolean {
  return kind === 'word' && (/^(in|suspended|active)$/i.test(text) || typeWords[text.toLowerCase()] !== undefined);
}

/** Writes a filter so that `parseUserFilter` reads the same. */
export function formatUserFilter({ userType, isSuspended, group, name }: UserFilter): string {
  const quoted = (text: string) => quote(text, ['“', '”']);
  return [
    isSuspended === undefined ? '' : isSuspended ? 'suspended' : 'active',
    userType ? `${userType}s` : '',
    name === undefined ? '' : isPlain(name) ? name : quoted(name),
    group === undefined ? '' : `in ${isPlain(group) ? group : quoted(group)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What a filter shows, for its reader: “suspended trainers in Kitchen”. Empty where it narrows nothing. */
export function userFilterWords({ userType, isSuspended, group, name }: UserFilter): string {
  const state = isSuspended === undefined ? 'any' : isSuspended ? 'suspended' : 'active';
  return [kindWords[state][userType ?? 'any'], name ?? '', group === undefined ? '' : say`in ${group}`]
    .filter((part) => part !== '')
    .join(' ');
}

const kindWords: Readonly<Record<'any' | 'suspended' | 'active', Readonly<Record<UserType | 'any', string>>>> = {
  any: {
    any: '',
    respondent: say`respondents`,
    trainer: say`trainers`,
    administrator: say`administrators`,
  },
  suspended: {
    any: say`suspended`,
    respondent: say`suspended respondents`,
    trainer: say`suspended trainers`,
    administrator: say`suspended administrators`,
  },
  active: {
    any: say`active`,
    respondent: say`active respondents`,
    trainer: say`active trainers`,
    administrator: say`active administrators`,
  },
};

/** Whether none of the words of a name means something else when it is typed without quotation marks. */
function isPlain(name: string): boolean {
  const tokens = partsOf(name);
  const isWord = (token: Token, at: number) =>
    token.kind === 'word' && !isFilterWord(token) && meaningAmong(tokens, at, filterWords) === undefined;
  return (
    tokens.every(isWord) &&
    partsOf(name)
      .map(({ text }) => text)
      .join(' ') === name
  );
}
