import { filterFields, filterFillers } from '../../features/results/filter.ts';
import { filterParts } from '../clauses/filter-line.ts';

/**
 * A line as people say it, in place of its verb and what follows; the line that commands have, with another command where one has it;
 * and the group that must have nothing but words of a filter, such as “failed” and “last week”.
 */
type Phrase = readonly [from: RegExp, to: string, filter?: number];

const not = String.raw`(?:hasn.?t|haven.?t|didn.?t|has not|have not|did not|not)`;

const ofType: Phrase = [/^make (.+?) an? (respondent|trainer|administrator|admin)$/i, '/quiz-user update $1 as $2'];
const emptied: Phrase = [/^remove (?:everyone|everybody|all) from (.+)$/i, '/quiz-group empty $1'];

/** For quizzes, users and groups alike. */
const lists: readonly Phrase[] = [
  [/^(show|list|find) (?:me|us) (?:the )?(.+)$/i, '$1 $2'],
  [/^(?:show|list|ls) (?:all|everyone|everybody|everything)(?: (?:quizzes|users|groups))?$/i, 'list'],
];

/** By command: the first that fits is taken. */
const phrases: Readonly<Record<string, readonly Phrase[]>> = {
  '/quiz': [
    [
      /^(?:(?:what(?:’s|'s| is| are)? )?due (?:in|for)|(?:missing|outstanding|incomplete) in) (?:group )?(.+)$/i,
      '/quiz-campaign matrix for $1',
    ],
    [/^(?:what(?:’s|'s| is| are) )?due$/i, '/quiz-campaign matrix'],
    [/^due (?:group )?(.+)$/i, '/quiz-campaign matrix for $1'],
    [
      /^(?:who(?:’s|'s| is| are)?(?: still)? )?(?:overdue|late) in (?:group )?(.+)$/i,
      '/quiz-campaign matrix overdue for $1',
    ],
    [
      /^(?:has|have|did) (?:everyone|everybody|all)(?: (?:of|in) (?:group )?(.+))? (?:passed|pass|taken|take|done|do|finished|finish) (?:the )?(.+)$/i,
      'missing $2 $1',
    ],
    [
      /^(?:has|have|did) (.+) (?:passed|pass|taken|take|done|do|failed|fail|finished|finish) (?:the )?(.+)$/i,
      'results “$2” $1',
    ],
    [/^how many (?:people |respondents )?(?:have )?(passed|failed|(?:have )?taken|took) (.+)$/i, 'results $2'],
    [
      new RegExp(
        `^who ${not}(?: yet)?(?: (?:taken|take|done|do|passed|pass|finished|completed))?(?: yet)? (.+?)(?: yet)?$`,
        'i',
      ),
      'missing $1',
    ],
    [/^who(?:’s|'s| is| are)?(?: still)? (?:missing|overdue|left)(?: (?:from|in|for))? (.+)$/i, 'missing $1'],
    [/^who (?:has |have )?((?:passed|failed)\b.*)$/i, 'all-results $1', 1],
    [/^((?:passed|failed)\b.*)$/i, 'all-results $1', 1],
    [/^results? (?:of |for )?(?:all|every)(?: (?:the )?quiz(?:zes)?)?\b ?(.*)$/i, 'all-results $1', 1],
    [/^results? (?:of |for |in )?(?:all|every) (?:the )?quiz(?:zes)? (.+)$/i, 'all-results $1'],
    [/^who (?:has |have )?(passed|failed)\b ?(.*)$/i, 'results $2 $1'],
    [/^(passed|failed)\b ?(.*)$/i, 'results $2 $1'],
    [/^send (.+) a reminder$/i, '/quiz-campaign remind $1'],
    [/^send a reminder to (.+)$/i, '/quiz-campaign remind $1'],
    [/^when is (.+) due$/i, '/quiz-campaign show $1'],
    [/^(?:undo|cancel|revert|take back) (?:that|this|it|(?:the|my) last (?:one|change|command))$/i, 'undo'],
    [/^(?:rückgängig(?: machen)?|annuler|deshacer|ongedaan maken|cofnij)$/i, 'undo'],
    [/^results? (.+?) (?:(?:as|in|als|en|comme|como|jako) )?csv$/i, 'export $1 csv'],
    [/^results? (.+?) (?:(?:as|in|als|en|comme|como|jako) )?(?:excel|xlsx)$/i, 'export $1'],
    [/^my (?:quizzes|results)$/i, 'mine'],
    [/^who am i$/i, '/quiz-admin whoami'],
    [/^(?:show|give|tell)(?: me| us)?(?: the)? results (?:from |of |for |in )?(.+)$/i, 'all-results $1', 1],
    [/^is (.+) (?:done|finished|up to date)$/i, '/quiz-user show $1'],
    [/^what(?:’s|'s| is) (.+) missing$/i, '/quiz-user show $1'],
    [
      /^(?:how (?:is|are) (.+) doing|how many (?:people |users |members )?(?:are )?in (.+)|who(?:’s|'s| is| are) in (.+))$/i,
      '/quiz-group show $1$2$3',
    ],
    [/^(?:show|give|tell) (?:me|us) (?:the )?results (?:of|for) (.+)$/i, 'results $1'],
    emptied,
    ...['quizzes', 'users', 'groups', 'campaigns'].map((things): Phrase => [
      new RegExp(`^(?:show|list|ls)(?: me| us)?(?: all)?(?: the)? ${things}$`, 'i'),
      things === 'quizzes' ? 'list' : `/quiz-${things.slice(0, -1)} list`,
    ]),
    [/^who (?:still )?(?:needs|has|have) (?:still )?to (?:do|take|pass|finish|complete) (.+)$/i, 'missing $1'],
    ofType,
    ...lists,
  ],
  '/quiz-campaign': [
    [
      /^(?:who(?:’s|'s| is| are)?(?: still)? )?(?:overdue|late)(?: anywhere)?(?: (?:for|of|in)(?: group)?)?( .+)?$/i,
      'matrix overdue$1',
    ],
    [/^(remind|excuse)-people\b/i, '$1'],
  ],
  '/quiz-user': [[/^reset (.+?)['’]s password$/i, 'reset-password $1'], ofType, ...lists],
  '/quiz-group': [emptied, ...lists],
  '/quiz-alerts': [[/^subscribe list$/i, 'list']],
};

/** The line with a verb in front, where people typed a sentence in its place, and its command. Nothing else of it is changed. */
export function withVerb(command: string, line: string): { command: string; line: string } {
  const text = withoutCourtesy(line.trim());
  const phrase = phrases[command]?.find((known) => fits(known, text));
  if (phrase === undefined) return { command, line };
  const [from, to] = phrase;
  const meant = text.replace(from, to).replaceAll(/ {2,}/g, ' ').trim();
  const [, other, rest = ''] = /^(\/\S+) (.*)$/s.exec(meant) ?? [];
  return other === undefined ? { command, line: meant } : { command: other, line: rest };
}

function fits([from, , filter]: Phrase, text: string): boolean {
  const found = from.exec(text);
  if (found === null || filter === undefined) return found !== null;
  return filterParts(found[filter] ?? '', filterFields, filterFillers).every(({ kind }) => kind !== 'name');
}

const courtesies = [
  'please|pls|thanks|thank you|thx|cheers|bitte|danke|vielen dank|merci|svp|s.il (?:te|vous) pla[iî]t|por favor|gracias',
  'alsjeblieft|alstublieft|graag|bedankt|dank je|dank u|proszę|prosze|dziękuję|dziekuje|dzięki|dzieki',
].join('|');
const courtesyAtEnd = new RegExp(`(?:[\\s,]+(?:${courtesies})|\\s*[?？]|(?<=\\p{L}{2})[.!](?=\\s*$))+[\\s.!]*$`, 'iu');
const courtesyAtBegin = new RegExp(
  `^(?:(?:${courtesies}|(?:can|could|would|will) you|i(?:’d|'d| would) like to|i want to|i need to)[,\\s]+)+`,
  'iu',
);

/** A line without a question mark and words such as “please”, in any language, behind it. */
export function withoutCourtesy(line: string): string {
  const plain = line.replace(courtesyAtEnd, '');
  return plain === '' ? line : plain;
}

/** The same for what a person wrote to the bot, where such words also come first. */
export function withoutPoliteWords(text: string): string {
  return withoutCourtesy(text).replace(courtesyAtBegin, '');
}

/** What is made, by the words for it, and the command that makes it. */
const things: readonly (readonly [nouns: string, command: string, verb: string])[] = [
  [
    'user|account|person|employee|colleague|coworker|co-worker|teammate|starter|hire|joiner|respondent|trainer|administrator|admin|member(?: of staff)?|staff member',
    '/quiz-user',
    'create',
  ],
  ['campaign', '/quiz-campaign', 'start'],
  ['report', '/quiz-campaign', 'report'],
  // The quiz service alone makes groups, which the answer to the line says.
  ['group', '/quiz-group', 'create'],
  ['quiz|test|exam', '/quiz', 'create'],
];

/** The line that a message asks for which says what it makes: `create a new user for Kim Doe`. Undefined for other messages. */
export function lineOfThing(text: string): { command: string; text: string } | undefined {
  for (const [nouns, command, verb] of things) {
    const links = verb === 'start' ? 'called|named' : 'for|called|named|with|about';
    const pattern = new RegExp(
      `^(?:(?:create|add|make|set up|register|invite|start)\\s+)?(?:an?\\s+|the\\s+|another\\s+)?(new\\s+)?(?:${nouns})\\b[:,]?\\s*(?:(?:${links})\\s+)?(.*)$`,
      'isu',
    );
    const [found, isNew, said = ''] = pattern.exec(text) ?? [];
    // “new employee starts monday” names nobody.
    const rest =
      command === '/quiz-user' ? said.replace(/^(?:who )?(?:is )?(?:start|begin|join)(?:s|ing)?\b.*$/isu, '') : said;
    const isMade = isNew !== undefined || /^(?:create|add|make|set up|register|invite|start)\s/i.test(text);
    if (found !== undefined && isMade)
      return { command, text: verb === 'create' || verb === 'start' ? `${verb} ${rest}`.trim() : verb };
  }
  return undefined;
}

/** Asks what the bot can do, or who it is, in the languages of the bot. */
const forHelp = new RegExp(
  `^(?:help(?: me)?|\\?|what can (?:you|i) do.*|who are you.*|what are you.*|how does this work.*|commands|hilfe|was kannst du.*|wer bist du.*|aide(?:-moi)?|que (?:peux|sais)-tu.*|qui es-tu.*|ayuda|qué puedes hacer.*|quién eres.*|hulp|help me|wat kun je.*|wie ben je.*|pomoc|pomocy|co potrafisz.*|kim jesteś.*)$`,
  'iu',
);

export function asksForHelp(text: string): boolean {
  return forHelp.test(text.replace(/^[¿¡\s]+|[?!.\s]+$/g, '')) || text === '?';
}

/** Of whom a message says that they have left: “Ravi left the company”. */
export function leaverIn(text: string): string | undefined {
  return /^(.{1,100}?)\s+(?:has\s+|have\s+)?(?:left|quit|resigned|is leaving|no longer works)(?:\s+(?:us|the company|our company|the team|here|for us|with us))?[.!]*$/iu.exec(
    text,
  )?.[1];
}
