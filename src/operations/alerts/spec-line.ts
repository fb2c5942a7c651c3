import type { Subscription } from '../../domain/subscription.ts';
import { InvalidInputError, type TextInput } from '../operation.ts';

const token = /["“”„«»][^"“”„«»]*["“”„«»]|<#[^>]*>|[^\s"“”„«»]+/gu;
const quoted = /^["“”„«»]([^"“”„«»]*)["“”„«»]$/u;
const mark = /["“”„«»]/u;

/**
 * Reads a wish as people type it: `Fire safety failed digest daily 08:30`. Its words stand in any order; what is none of
 * them, or stands in quotes, is the quiz's name.
 * @throws {InvalidInputError}
 */
export function parseSubscriptionSpec(line: string): TextInput {
  const typed: Record<string, string[]> = {};
  const name: string[] = [];
  const tokens: string[] = line.match(token) ?? [];

  const nextWord = () => tokens[0]?.toLowerCase() ?? '';
  const takeText = () => {
    const text = tokens.shift();
    return text === undefined ? undefined : (quoted.exec(text)?.[1]?.trim() ?? text);
  };
  const set = (field: string, value: string | undefined) => {
    const before = typed[field]?.[0];
    if (before !== undefined && before !== value) throw new InvalidInputError(field, `It cannot be both “${before}” and “${value ?? ''}”: leave one of them out.`);
    if (value !== undefined) typed[field] = [value];
  };
  const takeZone = () => {
    if (/^(utc|gmt|[a-z_]+\/\S+)$/.test(nextWord())) set('time_zone', tokens.shift());
  };

  while (tokens.length > 0) {
    const word = nextWord();
    const text = takeText() ?? '';
    switch (word) {
      case 'passed':
      case 'failed':
        set('filter', word);
        break;
      case 'below':
      case 'grade':
        set('filter', word);
        set('limit', takeText());
        if (nextWord() === '%') tokens.shift();
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
        if (every !== 'hourly' && every !== 'daily') throw new InvalidInputError('delivery', `After “digest” comes hourly, or daily and a time${every === undefined ? '' : `, not “${every}”`}: such as digest daily 08:30.`);
        set('delivery', every);
        if (every === 'daily') {
          if (nextWord() === 'at') tokens.shift();
          set('at', takeText());
          takeZone();
        }
        break;
      }
      case 'names':
        if (nextWord() === 'off') set('names', tokens.shift()?.toLowerCase());
        else if (nextWord() === 'on') tokens.shift();
        else name.push(text);
        break;
      default:
        if (word.startsWith('<#')) set('channel', text);
        else if (!(word === 'all' && name.length === 0 && isLastOfName(tokens))) name.push(text);
    }
  }
  // Empty for all of them: then something was typed all the same.
  return { ...typed, ...(line.trim() !== '' && { quiz: [name.join(' ')] }) };
}

/** Writes a wish so that `parseSubscriptionSpec` reads the same; its channel is the one it is typed in. */
export function formatSubscriptionSpec({ quiz, filter, delivery, timeZone, showsNames }: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>): string {
  const parts = [quiz === null ? 'all' : isQuotable(quiz.name) ? `"${quiz.name}"` : quiz.id];
  if (filter.kind === 'below') parts.push(`below ${filter.percentage}`);
  else if (filter.kind === 'grade') parts.push(`grade "${filter.grade}"`);
  else if (filter.kind !== 'all') parts.push(filter.kind);
  if (delivery.kind === 'each') parts.push('each');
  else if (delivery.kind === 'thread') parts.push(`thread ${timeZone}`);
  else parts.push(delivery.every === 'hour' ? 'digest hourly' : `digest daily ${delivery.at} ${timeZone}`);
  if (!showsNames) parts.push('names off');
  return parts.join(' ');
}

function isQuotable(name: string): boolean {
  return !mark.test(name) && name === name.trim() && name !== '' && name.length <= 100 && !/\p{C}/u.test(name);
}

const afterAll = new Set(['quizzes', 'passed', 'failed', 'below', 'grade', 'each', 'thread', 'digest', 'names']);

/** Whether what follows “all” goes on with the wish, and not with a name such as “All about fire”. */
function isLastOfName(tokens: string[]): boolean {
  if (tokens[0]?.toLowerCase() === 'quizzes') tokens.shift();
  const next = tokens[0]?.toLowerCase();
  return next === undefined || afterAll.has(next) || next.startsWith('<#');
}
