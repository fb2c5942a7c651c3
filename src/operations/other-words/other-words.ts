import { plainName } from '../../directory/names.ts';

/**
 * What people type in another language, by the English for it. Each text lists words and phrases, separated by commas, in
 * every form in which they are typed, with their accents: without accents they are understood too.
 */
export interface OtherLanguage {
  /** As Intl calls it: names of weekdays and months come from there. */
  language: 'de' | 'fr' | 'es' | 'nl' | 'pl';
  /** What the language is called in English. */
  name: string;
  dates: Readonly<Partial<Record<DateWord, string>>>;
  typed: Readonly<Record<TypedWord, string>>;
}

/** Words of filters, clauses and answers, as `docs/reference/words.md` groups them. */
export const typedWords = {
  Answers: ['yes', 'no', 'me', 'all', 'none', 'here', 'and', 'manager', 'more'],
  Results: ['passed', 'failed', 'ungraded', 'submitted', 'only', 'below', 'percent', 'grade'],
  'Between names': ['to', 'from', 'of', 'in', 'for', 'as', 'except', 'email'],
  Times: ['since', 'until', 'by', 'at', 'before', 'after', 'daily', 'weekly'],
  Files: ['picture'],
  Alerts: ['each', 'thread', 'digest hourly', 'digest daily', 'names off'],
  Languages: ['english', 'german', 'french', 'spanish', 'dutch', 'polish', 'default'],
  Campaigns: [
    'due',
    'within',
    'valid',
    'renew',
    'remind',
    'overdue',
    'escalate',
    'board',
    'say',
    'complete',
    'when',
    'counts',
    'for good',
    'because',
  ],
  Lists: ['open', 'closed', 'in design', 'quizzes', 'suspended', 'active', 'respondent', 'trainer', 'administrator'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TypedWord = (typeof typedWords)[keyof typeof typedWords][number];

/**
 * The English words of dates. “skip” is an article or a preposition that English leaves out. The weekdays are for forms that
 * Intl does not have.
 */
export type DateWord = DayWord | TimeOfDayWord | SpanWord | PartWord | Weekday | NumberWord;

type DayWord = 'today' | 'tomorrow' | 'day after tomorrow' | 'yesterday' | 'day before yesterday' | 'tonight';
type PartOfDay = 'morning' | 'afternoon' | 'evening';
type TimeOfDayWord =
  | PartOfDay
  | 'noon'
  | 'night'
  | 'midnight'
  | `today ${'morning' | 'afternoon'}`
  | `tomorrow ${PartOfDay}`;
type SpanWord = 'next' | 'last' | 'this' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'in' | 'ago';
type PartWord =
  | 'by'
  | 'on'
  | 'at'
  | 'o’clock'
  | 'of'
  | 'beginning'
  | 'mid'
  | 'end'
  | `end of ${'week' | 'month' | 'year'}`
  | 'skip';
type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
type NumberWord = 'one' | 'two' | 'three' | 'four' | 'five' | 'six' | SevenToTwelve;
type SevenToTwelve = 'seven' | 'eight' | 'nine' | 'ten' | 'eleven' | 'twelve';

const withoutUmlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'ae', Ö: 'oe', Ü: 'ue' };

/** What is typed for the words and phrases of a list, in plain letters: `fällig` as “fallig”, and in German as “faellig” too. */
export function plainPhrases(list: string, language: OtherLanguage['language']): string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .flatMap((phrase) => plainForms(phrase, language));
}

/** A phrase in plain letters, in every way in which people type it. */
export function plainForms(phrase: string, language: OtherLanguage['language']): string[] {
  const forms = [phrase];
  if (language === 'de') forms.push(phrase.replaceAll(/[äöü]/giu, (letter) => withoutUmlauts[letter] ?? letter));
  return [...new Set(forms.map((form) => plainName(form)))];
}
