import { specInEnglish, withoutComma } from './spec-parts.ts';
import { say } from '../../../domain/said.ts';
import type { SubscriptionSpec } from '../../../domain/subscription.ts';
import { outcomeFilters } from '../../../domain/submission-outcome.ts';
import { parseTimeOfDay } from '../../../operations/dates/time-expression.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { mentionsInWords, parseMention, partsOf, quote, type Token } from '../../../operations/typed-text.ts';

/**
 * Every way to read a subscription that is typed in everyday words, such as `food daily digest`, the likeliest first. A word
 * is first taken as a part of the quiz’s name.
 * @throws {InvalidInputError}
 */
export function parseSubscriptionLine(line: string): [TextInput, ...TextInput[]] {
  const inEnglish = specInEnglish(line);
  if (inEnglish === undefined) return parseEnglishLine(line);
  const [asTyped, other] = [
    () => parseEnglishLine(line),
    () => parseSubscriptionSpec(inWordsOfSpecs(inEnglish) ?? inEnglish),
  ];
  try {
    const readings = asTyped();
    try {
      return [...readings, other()];
    } catch {
      return readings;
    }
  } catch {
    return [other()];
  }
}

function parseEnglishLine(line: string): [TextInput, ...TextInput[]] {
  const usual = inWordsOfSpecs(line);
  if (usual === undefined) return [parseSubscriptionSpec(line), ...withUnknownNames(line)];
  const inEverydayWords = parseSubscriptionSpec(usual);
  try {
    return [parseSubscriptionSpec(line), inEverydayWords];
  } catch {
    return [inEverydayWords];
  }
}

/** `names banana` as a wish about names, so that its field can say what is wrong with it. */
function withUnknownNames(line: string): TextInput[] {
  const [, before = '', wish] = /^(.+) names (?!(?:on|off)$)(\S+)$/i.exec(line.trim()) ?? [];
  return wish === undefined ? [] : [{ ...parseSubscriptionSpec(before), names: [wish] }];
}

/**
 * Reads a subscription as people type it: `Fire safety failed digest daily 08:30`. The keywords come in any order; all
 * other words, and everything in quotation marks, are the quiz's name.
 * @throws {InvalidInputError}
 */
export function parseSubscriptionSpec(line: string): TextInput {
  const typed: Record<string, string[]> = {};
  const name: string[] = [];
  const tokens = partsOf(line);

  const takeText = () => {
    const token = tokens.shift();
    return token && withoutComma(token);
  };
  /** `8:30 pm` is two words. */
  const takeTimeOfDay = () => {
    const [hours, half] = tokens.map(keyword);
    if (hours === undefined || half === undefined || parseTimeOfDay(`${hours} ${half}`) === undefined)
      return takeText();
    tokens.splice(0, 2);
    return `${hours} ${half}`;
  };
  const set = (field: string, value: string | undefined) => {
    const before = typed[field]?.[0];
    if (before !== undefined && before !== value)
      throw new InvalidInputError(field, say`Choose either “${before}” or “${value ?? ''}”.`);
    if (value !== undefined) typed[field] = [value];
  };
  const takeZone = () => {
    if (/^(utc|gmt|[a-z_]+\/\S+)$/.test(keyword(tokens[0]) ?? '')) set('time_zone', takeText());
  };

  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    const word = keyword(token);
    switch (word) {
      case 'passed':
      case 'failed':
      case 'ungraded':
        set('filter', word);
        break;
      case 'below':
      case 'grade':
        set('filter', word);
        set('limit', takeText());
        if (keyword(tokens[0]) === '%') tokens.shift();
        break;
      case 'each':
        set('delivery', word);
        break;
      case 'thread':
        set('delivery', word);
        takeZone();
        break;
      case 'digest': {
        const every = takeText()?.toLowerCase();
        if (every !== 'hourly' && every !== 'daily')
          throw new InvalidInputError(
            'delivery',
            every === undefined
              ? say`“digest” needs hourly, or daily and a time, for example digest daily 08:30.`
              : say`I don’t know “digest ${every}”. Try digest hourly, or digest daily 08:30.`,
          );
        set('delivery', every);
        if (every === 'daily') {
          if (keyword(tokens[0]) === 'at') tokens.shift();
          if (isTimeOfDay(tokens[0])) set('at', takeTimeOfDay());
          takeZone();
        }
        break;
      }
      case 'names':
        if (keyword(tokens[0]) === 'off') set('names', takeText()?.toLowerCase());
        else if (keyword(tokens[0]) === 'on') tokens.shift();
        else name.push(token.text);
        break;
      default:
        if (isChannel(token)) set('channel', token.text);
        else if (!(word === 'all' && name.length === 0 && endsName(tokens)))
          name.push(token.kind === 'mention' ? mentionsInWords(token.text) : token.text);
    }
  }
  // An empty quiz means all of them. Without it the form would open, as it does when nothing is typed.
  return { ...typed, ...(line.trim() !== '' && { quiz: [name.join(' ')] }) };
}

/** Writes a subscription so that `parseSubscriptionSpec` reads the same; the channel is the one it is typed in. */
export function formatSubscriptionSpec({
  quiz,
  filter,
  delivery,
  timeZone,
  showsNames,
}: Omit<SubscriptionSpec, 'channelId'>): string {
  const parts = [quiz === null ? 'all' : isTypable(quiz.name) ? quote(quiz.name) : quiz.id];
  if (filter.kind === 'below') parts.push(`below ${filter.percentage}`);
  else if (filter.kind === 'grade') parts.push(`grade ${quote(filter.grade)}`);
  else if (filter.kind !== 'all') parts.push(filter.kind);
  if (delivery.kind === 'each') parts.push('each');
  else if (delivery.kind === 'thread') parts.push(`thread ${timeZone}`);
  else parts.push(delivery.every === 'hour' ? 'digest hourly' : `digest daily ${delivery.at} ${timeZone}`);
  if (!showsNames) parts.push('names off');
  return parts.join(' ');
}

/** Whether a person can type the name on one line and find the quiz with it. */
function isTypable(name: string): boolean {
  return name === name.trim() && name !== '' && name.length <= 100 && !/\p{C}/u.test(name);
}

function keyword(token: Token | undefined): string | undefined {
  return token?.kind === 'word' ? withoutComma(token).toLowerCase() : undefined;
}

/** Whether a time of day is meant, even if it can’t be read. */
function isTimeOfDay(token: Token | undefined): boolean {
  return /^(?:\d|noon$|midnight$)/.test(keyword(token) ?? '');
}

function isChannel(token: Token): boolean {
  return token.kind === 'mention' && parseMention(token.text)?.kind === 'channel';
}

const afterAll = new Set<string>(['quizzes', ...outcomeFilters, 'below', 'grade', 'each', 'thread', 'digest', 'names']);

/** Whether “all” is all quizzes, and not the beginning of a name such as “All about fire”. */
function endsName(tokens: Token[]): boolean {
  if (keyword(tokens[0]) === 'quizzes') tokens.shift();
  const [next] = tokens;
  return next === undefined || isChannel(next) || afterAll.has(keyword(next) ?? '');
}

/** What people type for the words of a subscription; each is a pattern for whole words. */
const everydayWords: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^to (?=.)/i, ''],
  [/\b(?:digest )?(?:every|each|once an?|once per) (day|hour|week|month)(?: digest)?\b/gi, 'digest $1'],
  [/\b(?:an? )?(daily|hourly|weekly|monthly) digest\b/gi, 'digest $1'],
  [/(?<!\bdigest )\b(daily|hourly|weekly|monthly)\b/gi, 'digest $1'],
  [/\bdigest day\b/gi, 'digest daily'],
  [/\bdigest (hour|week|month)\b/gi, 'digest $1ly'],
  [/\b(?:one )?message per submission\b/gi, 'each'],
  [/\b(?:in )?(?:an? |one )?threads?(?: per quiz per day)?\b/gi, 'thread'],
  [/\b(?:under|less than)(?= \d)/gi, 'below'],
  [/\b(?:failures|fails?|failing|not passed)\b/gi, 'failed'],
  [/\b(?:not graded(?: or waiting to be marked)?|(?:waiting )?to be marked)\b/gi, 'ungraded'],
  [/\b(?:passes|passing)\b/gi, 'passed'],
  [new RegExp(`\\bonly (?=${[...outcomeFilters, 'below', 'grade'].join('|')})`, 'gi'), ''],
  [new RegExp(`\\b(${outcomeFilters.join('|')}|below \\d\\S*(?: %)?|grade \\S+) only\\b`, 'gi'), '$1'],
  [/^(?:everything|every quiz)\b/i, 'all'],
  [/\b(?:(?:no|without|hide)|initials instead of) names\b/gi, 'names off'],
];

/** The line with the words that subscriptions have; what is quoted or mentioned stays. Undefined where nothing changes. */
function inWordsOfSpecs(line: string): string | undefined {
  const whole = partsOf(line).filter(({ kind }) => kind !== 'word');
  const ends = [0, ...whole.map(({ end }) => end)];
  const usual = ends
    .map((from, index) => {
      const kept = whole[index];
      const words = line.slice(from, kept?.start);
      const inOwn = everydayWords.reduce((text, [pattern, own]) => text.replace(pattern, own), words);
      return inOwn + (kept ? line.slice(kept.start, kept.end) : '');
    })
    .join('');
  return usual === line ? undefined : usual;
}
