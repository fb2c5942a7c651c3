import fc from 'fast-check';
import { people } from '../../src/sandbox/workspace/people.ts';
import { oddValue } from './mutations.ts';
import { startServiceProxy, type ServiceProxy } from '../judges/service-proxy.ts';
import { startBotHere } from './fuzzed-bot.ts';
import { fuzz, type FuzzOptions, type FuzzRow } from './run.ts';

/** A record of the account, by the field that holds its id. */
interface KnownRecord {
  idField: string;
  id: string;
}

interface Named {
  id: string;
  shown: string;
}

/** A command, and what the service must hold afterwards where it is a write. */
interface Question {
  name: string;
  line: string;
  /** The ids of the records that the command names. */
  about: readonly string[];
  /** The state that the command is to bring about, and how to read it. Missing for reads. */
  wanted?: string;
  state?: () => Promise<string>;
}

interface OddAccount {
  records: readonly KnownRecord[];
  /** The commands that list records, and the records they must name. */
  lists: readonly { line: string; named: readonly Named[] }[];
  questions: readonly Question[];
}

type Json = Record<string, unknown>;

const asShown = (name: string) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Reads the sample account, past the proxy that makes fields odd. */
async function readOddAccount(url: string, apiKey: string): Promise<OddAccount> {
  async function read(path: string): Promise<unknown> {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': apiKey } });
    return response.json();
  }
  const [quizzes, users, groups] = (await Promise.all(['/quizzes', '/users', '/groups'].map(read))) as [
    Json[],
    Json[],
    Json[],
  ];
  const named = (records: readonly Json[], idField: string, nameOf: (record: Json) => string): Named[] =>
    records.map((record) => ({ id: String(record[idField]), shown: asShown(nameOf(record)) }));
  const lists = [
    { line: '/quiz list', named: named(quizzes, 'quiz_id', ({ name }) => String(name)) },
    {
      line: '/quiz-user list',
      named: named(users, 'user_id', ({ first_name, last_name }) => `${String(first_name)} ${String(last_name)}`),
    },
    { line: '/quiz-group list', named: named(groups, 'group_id', ({ group_name }) => String(group_name)) },
  ];

  const ids = (records: readonly Json[], idField: string): KnownRecord[] =>
    records.map((record) => ({ idField, id: String(record[idField]) }));
  const responses: Json[] = [];
  for (const { quiz_id } of quizzes)
    responses.push(...((await read(`/quizzes/${String(quiz_id)}/responses`)) as Json[]));
  const submitted = responses.find(({ status, user_id }) => status === 'submitted' && user_id !== null) ?? {};
  const [quizId, responseId] = [String(submitted['quiz_id']), String(submitted['response_id'])];
  const answered = (await read(`/quizzes/${quizId}/responses/${responseId}/questions`)) as Json[];

  const quizState = (id: string) => async () => String(((await read(`/quizzes/${id}`)) as Json)['status']);
  const userState = (userId: string) => async () => String(((await read(`/users/${userId}`)) as Json)['suspended']);
  const assignment = (userId: string, id: string) => async () =>
    String(((await read(`/users/${userId}/quizzes`)) as Json[]).some(({ quiz_id }) => quiz_id === id));

  const open = quizzes
    .filter(({ status }) => status !== 'in_design')
    .slice(0, 3)
    .map(({ quiz_id }) => String(quiz_id));
  const respondents = users
    .filter(({ user_type, suspended }) => user_type === 'respondent' && suspended === false)
    .slice(0, 3)
    .map(({ user_id }) => String(user_id));
  const [group] = ids(groups, 'group_id');
  const questions: Question[] = [
    ...open.flatMap((id): Question[] => [
      { name: 'show', line: `/quiz show ${id}`, about: [id] },
      { name: 'results', line: `/quiz results ${id}`, about: [id] },
      { name: 'close', line: `/quiz close ${id}`, about: [id], wanted: 'closed', state: quizState(id) },
      { name: 'open', line: `/quiz open ${id}`, about: [id], wanted: 'open', state: quizState(id) },
    ]),
    ...respondents.flatMap((id, index): Question[] => [
      { name: 'show user', line: `/quiz-user show ${id}`, about: [id] },
      { name: 'suspend', line: `/quiz-user suspend ${id}`, about: [id], wanted: 'true', state: userState(id) },
      { name: 'reinstate', line: `/quiz-user reinstate ${id}`, about: [id], wanted: 'false', state: userState(id) },
      {
        name: 'assign',
        line: `/quiz assign ${open[index]} to ${id}`,
        about: [id, open[index] ?? ''],
        wanted: 'true',
        state: assignment(id, open[index] ?? ''),
      },
      {
        name: 'unassign',
        line: `/quiz unassign ${open[index]} from ${id}`,
        about: [id, open[index] ?? ''],
        wanted: 'false',
        state: assignment(id, open[index] ?? ''),
      },
    ]),
    { name: 'attempt', line: `/quiz attempt ${quizId} of ${responseId}`, about: [quizId, responseId] },
    { name: 'show group', line: `/quiz-group show ${group?.id}`, about: [group?.id ?? ''] },
    { name: 'mine', line: '/quiz mine', about: [] },
    { name: 'status', line: '/quiz-admin status', about: [] },
    { name: 'whoami', line: '/quiz-admin whoami', about: [] },
  ];
  return {
    records: [
      ...ids(quizzes, 'quiz_id'),
      ...ids(users, 'user_id'),
      ...ids(groups, 'group_id'),
      ...ids(responses, 'response_id'),
      ...ids(answered, 'question_id'),
    ],
    lists,
    questions,
  };
}

const hourMs = 3_600_000;

interface OddField extends KnownRecord {
  /** Selects one of the record's fields, nested ones included. */
  place: number;
  value: unknown;
}

/**
 * Replaces one field of one record in every answer of the quiz service, and asks the bot. Each command must be answered,
 * the lists must name every other record, and a write must be told as what the service did.
 *
 * The clock moves by an hour with each value, so that the bot reads its lists anew. The request budget, which no clock moves, is open.
 */
export async function fuzzOddFields(options: FuzzOptions): Promise<FuzzRow> {
  let skippedMs = 0;
  let proxy: ServiceProxy | undefined;
  const now = () => Date.now() + skippedMs;
  let odd: OddField | undefined;
  const { workspace, quizService, apiKey, lines, close } = await startBotHere({
    now,
    async serviceUrl(url) {
      proxy = await startServiceProxy(url, { edit: (text) => (odd === undefined ? text : withOddField(text, odd)) });
      return proxy.url;
    },
  });
  const account = await readOddAccount(quizService.url, apiKey);

  const ada = workspace.as(people.ada.id);

  /** Sends a command, and confirms the warning if there is one. */
  async function replyTo(line: string): Promise<string> {
    const { text, blocks, channel, ts } = await (await ada.command(line)).reply();
    const answer = `${text} ${JSON.stringify(blocks)}`;
    if (!text?.startsWith('⚠️') || !answer.includes('"choose:confirmed"')) return answer;
    await ada.click({ channel, ts }, 'choose:confirmed');
    const confirmed = () => {
      const last = workspace.ephemerals(people.ada.id).at(-1);
      return `${last?.text} ${JSON.stringify(last?.blocks)}`;
    };
    await workspace.until(() => confirmed() !== answer);
    return confirmed();
  }

  async function tryValue({ field, question }: { field: OddField; question: Question }): Promise<string> {
    skippedMs += hourMs;
    odd = field;
    for (const { line, named } of account.lists) {
      const answer = await replyTo(line);
      const missing = named.filter(({ id, shown }) => id !== field.id && !answer.includes(shown));
      if (missing.length > 0)
        throw new Error(
          `${line} leaves out ${missing.map(({ shown }) => shown).join(', ')} with ${shownOdd(field)}: ${answer.slice(0, 400)}`,
        );
    }
    const before = await question.state?.();
    const answer = await replyTo(question.line);
    const problem = problemOf(question, field, answer, before, await question.state?.());
    if (problem !== undefined)
      throw new Error(
        `${question.line} ${problem}, with ${shownOdd(field)}: ${answer.slice(0, 400)}\n${lines.slice(-3).join('\n')}`,
      );
    lines.length = 0;
    return `${question.name}: ${isRefusal(answer) ? 'not done' : 'answered'}`;
  }

  const values = fc.record({
    field: fc
      .record({ record: fc.constantFrom(...account.records), place: fc.nat(10_000), value: oddValue })
      .map(({ record, ...rest }) => ({ ...record, ...rest })),
    question: fc.constantFrom(...account.questions),
  });
  try {
    return await fuzz('odd fields', { ...options, concurrency: 1 }, values, tryValue);
  } finally {
    await close();
    proxy?.close();
  }
}

function problemOf(
  { about, wanted }: Question,
  odd: OddField,
  answer: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  if (isRefusal(answer)) {
    if (before !== after) return 'says that nothing was done, and something was';
    return about.includes(odd.id) || isPartOf(odd, about) ? undefined : 'fails because of a record it does not name';
  }
  if (/^ℹ️ .*Nothing changed/u.test(answer)) {
    if (before !== after) return 'says that nothing changed, and something did';
    return before === wanted || about.includes(odd.id)
      ? undefined
      : 'says that nothing had to change because of a record it does not name';
  }
  const isDone = wanted === undefined || after === wanted;
  // The id of the record may be what is odd: then the bot knows no such record, or asks which one is meant.
  return isDone || /choose|which|is called/i.test(answer) ? undefined : 'says that it is done, and it is not';
}

/** Responses and questions belong to the quizzes that commands name. */
function isPartOf({ idField }: OddField, about: readonly string[]): boolean {
  return about.length > 1 && (idField === 'question_id' || idField === 'response_id');
}

function isRefusal(answer: string): boolean {
  return /^(?:⚠️|🚫|❌)/u.test(answer);
}

function shownOdd({ idField, id, place, value }: OddField): string {
  return `${idField} ${id}, place ${place}: ${JSON.stringify(value)?.slice(0, 200)}`;
}

function withOddField(text: string, odd: OddField): string {
  if (!text.includes(odd.id)) return text;
  const answer: unknown = JSON.parse(text);
  for (const record of [answer].flat()) {
    if (
      typeof record !== 'object' ||
      record === null ||
      !(odd.idField in record) ||
      Reflect.get(record, odd.idField) !== odd.id
    )
      continue;
    // The id alone is the answer of a creation or a search.
    if (Object.keys(record).length === 1) continue;
    const places = placesIn(record);
    const [holder, key] = places[odd.place % places.length] ?? [];
    if (holder !== undefined && key !== undefined)
      Object.defineProperty(holder, key, { value: odd.value, enumerable: true });
  }
  return JSON.stringify(answer);
}

/** Every field of a record and of the records in it. */
function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, value]): [object, string][] => [
    [holder, key],
    ...(typeof value === 'object' && value !== null ? placesIn(value as object) : []),
  ]);
}
