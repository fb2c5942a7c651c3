import { filterParts } from '../features/results/filter.ts';

/** A line as people say it, in place of its verb and what follows. `to` is as the commands have it, with another command where one has it. */
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
  {
    command: '/quiz',
    from: /^(?:(?:what(?:’s|'s| is| are)? )?due (?:in|for)|(?:missing|outstanding|incomplete) in) (?:group )?(.+)$/i,
    to: '/quiz-campaign matrix for $1',
  },
  { command: '/quiz', from: /^(?:what(?:’s|'s| is| are) )?due$/i, to: '/quiz-campaign matrix' },
  { command: '/quiz', from: /^due (?:group )?(.+)$/i, to: '/quiz-campaign matrix for $1' },
  { command: '/quiz', from: /^overdue in (?:group )?(.+)$/i, to: '/quiz-campaign matrix overdue for $1' },
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
    from: /^(?:who(?:’s|'s| is| are)?(?: still)? )?(?:overdue|late)(?: anywhere)?(?: (?:for|of|in)(?: group)?)?( .+)?$/i,
    to: 'matrix overdue$1',
  },
  { command: '/quiz-campaign', from: /^(remind|excuse)-people\b/i, to: '$1' },
  { command: '/quiz', from: /^my (?:quizzes|results)$/i, to: 'mine' },
  { command: '/quiz-alerts', from: /^subscribe list$/i, to: 'list' },
  ...['/quiz', '/quiz-user', '/quiz-group'].map((command) => ({
    command,
    from: new RegExp(`^(?:show|list|ls) ${list}$`, 'i'),
    to: 'list',
  })),
];

/** The line with a verb in front, where people typed a sentence in its place, and its command. Nothing else of it is changed. */
export function withVerb(command: string, line: string): { command: string; line: string } {
  const text = line.trim();
  const phrase = phrases.find((known) => known.command === command && fits(known, text));
  if (phrase === undefined) return { command, line };
  const meant = text.replace(phrase.from, phrase.to).replaceAll(/ {2,}/g, ' ').trim();
  const [, other, rest = ''] = /^(\/\S+) (.*)$/s.exec(meant) ?? [];
  return other === undefined ? { command, line: meant } : { command: other, line: rest };
}

function fits({ from, filter }: Phrase, text: string): boolean {
  const found = from.exec(text);
  if (found === null || filter === undefined) return found !== null;
  return filterParts(found[filter] ?? '').every(({ kind }) => kind !== 'other');
}
