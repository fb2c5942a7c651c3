/** A record of the account, by the field that holds its id. */
export interface KnownRecord {
  idField: string;
  id: string;
}

interface Named {
  id: string;
  shown: string;
}

/** A command, and what the service must hold afterwards where it is a write. */
export interface Question {
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
export async function readOddAccount(url: string, apiKey: string): Promise<OddAccount> {
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
