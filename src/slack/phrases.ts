import { filterParts } from '../features/results/filter.ts';

/** A line as people say it, in place of its verb and what follows. `to` is as the commands have it. */
interface Phrase {
  command: string;
  from: RegExp;
  to: string;
  /** The group of the expression that must have nothing but words of a filter, such as “failed” and “last week”. */
  filter?: number;
}

const not = String.raw`(?:hasn.?t|haven.?t|didn.?t|has not|have not|did not|not)`;
const list = String.raw`(?:all|everyone|everybody|everything)(?: (?:quizzes|users|groups))?`;

/** The first that fits is taken. */
const phrases: readonly Phrase[] = [
  { command: '/quiz', from: /^(?:missing|overdue|outstanding|incomplete) in (?:group )?(.+)$/i, to: 'due $1' },
  {
    command: '/quiz',
    from: new RegExp(
      `^who ${not}(?: yet)?(?: (?:taken|take|done|do|passed|pass|finished|completed))?(?: yet)? (.+)$`,
      'i',
    ),
    to: 'missing $1',
  },
  {
    command: '/quiz',
    from: /^who(?:’s|'s| is| are)?(?: still)? (?:missing|overdue|left)(?: (?:from|in|for))? (.+)$/i,
    to: 'missing $1',
  },
  { command: '/quiz', from: /^who (?:has |have )?((?:passed|failed)\b.*)$/i, to: 'all-results $1', filter: 1 },
  { command: '/quiz', from: /^((?:passed|failed)\b.*)$/i, to: 'all-results $1', filter: 1 },
  {
    command: '/quiz',
    from: /^results? (?:of |for )?(?:all|every)(?: (?:the )?quiz(?:zes)?)?\b ?(.*)$/i,
    to: 'all-results $1',
    filter: 1,
  },
  {
    command: '/quiz',
    from: /^results? (?:of |for |in )?(?:all|every) (?:the )?quiz(?:zes)? (.+)$/i,
    to: 'all-results $1',
  },
  { command: '/quiz', from: /^who (?:has |have )?(passed|failed)\b ?(.*)$/i, to: 'results $2 $1' },
  { command: '/quiz', from: /^(passed|failed)\b ?(.*)$/i, to: 'results $2 $1' },
  {
    command: '/quiz-campaign',
    from: /^who(?:’s|'s| is| are)?(?: still)? (?:overdue|late)(?: anywhere)?$/i,
    to: 'overdue',
  },
  { command: '/quiz', from: /^my (?:quizzes|results)$/i, to: 'mine' },
  { command: '/quiz-alerts', from: /^subscribe list$/i, to: 'list' },
  ...['/quiz', '/quiz-user', '/quiz-group'].map((command) => ({
    command,
    from: new RegExp(`^(?:show|list|ls) ${list}$`, 'i'),
    to: 'list',
  })),
];

/** The line with a verb in front, where people typed a sentence in its place. Nothing else of it is changed. */
export function withVerb(command: string, line: string): string {
  const text = line.trim();
  const phrase = phrases.find((known) => known.command === command && fits(known, text));
  return phrase ? text.replace(phrase.from, phrase.to).replaceAll(/ {2,}/g, ' ').trim() : line;
}

function fits({ from, filter }: Phrase, text: string): boolean {
  const found = from.exec(text);
  if (found === null || filter === undefined) return found !== null;
  return filterParts(found[filter] ?? '').every(({ kind }) => kind !== 'other');
}
