import fc from 'fast-check';
import { catalog } from '../../src/operations/catalog.ts';
import { commandAndVerb, isTyped, verbsOf } from '../../src/operations/line/line.ts';
import { otherLanguages } from '../../src/operations/other-words/meanings.ts';
import { typedWords } from '../../src/operations/other-words/other-words.ts';
import { typingDistance } from '../../src/domain/typing-distance.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { directMessagesId } from '../../src/sandbox/workspace/state.ts';
import { startBotHere } from './fuzzed-bot.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';

const verbs = catalog.filter(isTyped).flatMap((operation) => {
  const { command } = commandAndVerb(operation);
  return verbsOf(operation).flatMap((verb) => [verb, `${command} ${verb}`, `${command.slice(1)} ${verb}`]);
});
const ownWords = Object.values(typedWords).flat();
const foreignWords = otherLanguages.flatMap(({ typed }) =>
  Object.values(typed).flatMap((list) => list.split(',').map((word) => word.trim())),
);
const times = ['friday', 'due 15 dec', 'bis 18 Uhr', 'for 2h', 'tomorrow 8am', 'jusqu’à 18h', 'in 2 weeks', 'midnight'];
const talk = [
  'please',
  'can you',
  'thanks',
  '?',
  'a new user',
  'left the company',
  'everyone',
  'who',
  'and',
  'the',
  'me',
];

/** Words that say nothing of what is to be changed: they may be passed over. Of a link, Slack shows the label. */
const fillers = new Set(
  [
    'https a an and the to of for from in me please can you thanks who',
    ...Object.values(typedWords).flat(),
    ...otherLanguages.flatMap(({ typed }) => Object.values(typed)),
  ].flatMap((words) => wordsOf(words)),
);

/** The words of a line that its answer neither says, in this or a nearly right spelling, nor may pass over. */
function droppedFrom(line: string, answer: string): string[] {
  const said = wordsOf(answer);
  // A name is also named by a part of it.
  const isPart = (word: string, other: string) => (word.length > 3 ? other.includes(word) : other.startsWith(word));
  const isSaid = (word: string) =>
    said.some((other) => isPart(word, other) || typingDistance(word, other, 2) <= (word.length > 4 ? 2 : 1));
  return wordsOf(line).filter((word) => !fillers.has(word) && !isSaid(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Words of commands, of six languages, names of the account and times, in any order and with typing mistakes, by an owner, who may do
 * everything. Written to the bot as messages, they change nothing, as nobody presses a button. As slash commands, they change
 * something only where the answer says every word that was typed.
 */
export async function fuzzTyped(options: FuzzOptions): Promise<FuzzRow> {
  const { workspace, quizService, close } = await startBotHere();
  const { database } = quizService;
  const namesOf = (sql: string) => database.all<{ name: string }>(sql).map(({ name }) => name);
  const names = [
    ...namesOf('SELECT name FROM quizzes'),
    ...namesOf("SELECT first_name || ' ' || last_name AS name FROM users"),
    ...namesOf('SELECT group_name AS name FROM groups'),
  ];
  const state = () =>
    JSON.stringify(
      ['quizzes', 'users', 'groups', 'user_quizzes', 'user_groups', 'group_quizzes', 'responses'].map((table) =>
        database.all(`SELECT * FROM ${table}`),
      ),
    );
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...names) },
    { weight: 2, arbitrary: fc.constantFrom(...verbs) },
    { weight: 1, arbitrary: fc.constantFrom(...ownWords, ...foreignWords) },
    { weight: 1, arbitrary: fc.constantFrom(...times, ...talk) },
  );
  const mistaken = fc.tuple(word, fc.nat(60), fc.constantFrom('', 'e', 'x')).map(([text, at, letter]) => {
    const where = at - 40;
    return where < 0 || where >= text.length ? text : text.slice(0, where) + letter + text.slice(where + 1);
  });
  const lines = fc.oneof(
    fc.tuple(fc.constantFrom(...verbs, ...talk), fc.array(mistaken, { maxLength: 5 })),
    fc.tuple(fc.constantFrom(...verbs.filter((verb) => verb.startsWith('/'))), fc.array(mistaken, { maxLength: 4 })),
  );
  const tries = fc.record({
    isCommand: fc.boolean(),
    line: lines.map(([first, others]) => [first, ...others].join(' ')),
  });

  let before = state();
  const direct = directMessagesId(people.ada.id);
  async function tryMessage(line: string): Promise<string> {
    const seen = workspace.directMessages(people.ada.id).length;
    await workspace.as(people.ada.id).say(direct, line);
    const answer = await workspace.until(() =>
      workspace
        .directMessages(people.ada.id)
        .slice(seen)
        .find(({ user }) => user !== people.ada.id),
    );
    if (state() !== before) throw new Error(`“${line}” changed the account: ${answer.text}`);
    return JSON.stringify(answer.blocks).includes('"choose:confirmed"') ? 'asked' : 'answered';
  }
  async function tryCommand(line: string): Promise<string> {
    const outcome = await workspace.as(people.ada.id).command(line, { channel: direct });
    const view = outcome.view();
    const answer = await Promise.race([outcome.reply(), view.then(() => undefined)]);
    view.catch(() => undefined);
    if (state() === before) return answer === undefined ? 'form' : 'replied';
    before = state();
    const answers = () => JSON.stringify(outcome.replies.map(({ text, blocks }) => [text, blocks]));
    // Who is named may have been typed as they sign in.
    const logins = () =>
      database
        .all<{ login: string; name: string }>(
          "SELECT user_name AS login, trim(first_name || ' ' || last_name) AS name FROM users",
        )
        .flatMap(({ login, name }) => (name !== '' && answers().includes(name) ? [login] : []));
    const dropped = () => droppedFrom(line.replace(/^\S+ \S+/, ''), [answers(), ...logins()].join(' '));
    await workspace
      .until(() => dropped().length === 0)
      .catch(() => {
        throw new Error(`“${line}” changed the account without a word of ${dropped().join(', ')}: ${answers()}`);
      });
    return 'changed';
  }
  const tryLine = ({ isCommand, line }: { isCommand: boolean; line: string }) =>
    isCommand && line.startsWith('/') ? tryCommand(line) : tryMessage(line);

  try {
    return await fuzz('typed lines', { ...options, concurrency: 1 }, tries, tryLine);
  } finally {
    await close();
  }
}
