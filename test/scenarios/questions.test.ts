import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { findResponse } from '../../src/sandbox/quiz-service/store/responses.ts';
import { listAnsweredQuestions } from '../../src/sandbox/quiz-service/store/questions.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { slackbotOf, withAgents } from '../support/agents.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import {
  commandReply,
  leaveFewAttempts,
  locationOf,
  quizId,
  safetyQuiz,
  submittedResponses,
} from '../support/results.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { startTestBed, type TestBed, textOf } from '../support/test-bed.ts';

const { ada, erin } = people;

const questionRequests = ({ requests }: TestBed) => requests.filter((request) => request.endsWith('/questions'));
/** Everything in a folder, also what a database has freed. */
const writtenIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
const shownTo = ({ workspace }: TestBed) => textOf(workspace.ephemerals(erin.id)[0]);

/** How many got a question right, by the answers in the account. */
function rightAnswers({ quizService }: TestBed, text: string): { right: number; asked: number } {
  const rows = quizService.database.all<{ points_scored: number; points_available: number }>(
    `SELECT a.points_scored, q.points_available FROM answers a JOIN questions q USING (question_id)
     JOIN responses r USING (response_id) WHERE q.text = ? AND r.status = 'submitted'`,
    [text],
  );
  return {
    right: rows.filter(({ points_scored: scored, points_available: of }) => scored >= of).length,
    asked: rows.length,
  };
}

/** Sends the webhook of each attempt again, with its answers. */
async function bringAnswers(testBed: TestBed, says = 'Taken.\n'): Promise<void> {
  const { database, url } = testBed.quizService;
  for (const { response_id: id } of submittedResponses(testBed, safetyQuiz)) {
    const questions = listAnsweredQuestions(database, quizId(testBed, safetyQuiz), id).map((question) => ({
      ...question,
      options: question.options.map((option) => ({ ...option, answer: 'typed by hand' })),
    }));
    const body = eventBody({ event_id: `e-${id}` }, { ...findResponse(database, id, url), questions });
    expect(await (await sendEvent(testBed.url, body)).text()).toBe(says);
  }
}

describe('/quiz questions', () => {
  test('says at once what is known, and changes in place until all attempts are read, with a request each', async () => {
    const testBed = await startTestBed();
    leaveFewAttempts(testBed, safetyQuiz);
    const attempts = submittedResponses(testBed, safetyQuiz).length;
    expect(attempts).toBeGreaterThan(5);
    const first = await commandReply(testBed, erin.id, `/quiz questions ${safetyQuiz}`);
    expect(textOf(first)).toContain(`Reading the answers of ${attempts} attempts, which takes about a minute.`);
    await testBed.workspace.until(() => shownTo(testBed).includes(`From ${attempts} attempts.`));
    expect(testBed.workspace.ephemerals(erin.id)).toHaveLength(1);
    expect(questionRequests(testBed)).toHaveLength(attempts);

    const hardest = 'Which of these belong to personal protective equipment?';
    const { right, asked } = rightAnswers(testBed, hardest);
    expect(right).toBeLessThan(asked);
    const answer = await commandReply(testBed, erin.id, `/quiz questions ${safetyQuiz}`);
    expect(textOf(answer)).toContain(`*3. ${hardest}* · ${right} of ${asked} right`);
    expect(textOf(answer)).toContain('↳ Right: ');
    expect(answer.blocks?.map(({ type }) => type)).toContain('data_visualization');
    expect(questionRequests(testBed)).toHaveLength(attempts);
  });

  test('asks for no answers that came with webhooks, keeps nothing that was typed, and counts each attempt once', async () => {
    const folder = temporaryDirectory();
    const testBed = await startTestBed({ env: { DATA_DIR: folder } });
    const attempts = submittedResponses(testBed, safetyQuiz).length;
    await bringAnswers(testBed);
    await bringAnswers(testBed, 'Known already.\n');
    await commandReply(testBed, erin.id, `/quiz questions ${safetyQuiz}`);
    await testBed.workspace.until(() => shownTo(testBed).includes(`From ${attempts} attempts.`));
    expect(questionRequests(testBed)).toEqual([]);
    expect(writtenIn(folder)).not.toContain('typed by hand');
  });

  test('narrows to a group, and shows nothing of fewer than five attempts', async () => {
    const testBed = await startTestBed();
    leaveFewAttempts(testBed, safetyQuiz);
    await commandReply(testBed, erin.id, `/quiz questions ${safetyQuiz}`);
    await testBed.workspace.until(() => shownTo(testBed).includes('From '));
    const [someone] = submittedResponses(testBed, safetyQuiz);
    const answer = await commandReply(
      testBed,
      erin.id,
      `/quiz questions ${safetyQuiz} of ${someone!.first_name} ${someone!.last_name}`,
    );
    expect(textOf(answer)).toContain('Questions show numbers from 5 attempts on. Found: ');
    expect(textOf(answer)).not.toContain(' right (');
    const kitchen = await commandReply(testBed, erin.id, `/quiz questions ${safetyQuiz} in Kitchen`);
    expect(textOf(kitchen)).toContain('questions, only *Kitchen*');
  });

  test('is data for agents, by group and time', async () => {
    const testBed = await startTestBed({ env: withAgents });
    await bringAnswers(testBed);
    const agent = await slackbotOf(testBed, erin.id);
    const ask = async (filter: object) => {
      const given = { quiz: safetyQuiz, ...filter };
      const { structuredContent } = await agent.callTool({ name: 'show-questions', arguments: given });
      return JSON.stringify(structuredContent);
    };
    const attempts = submittedResponses(testBed, safetyQuiz).length;
    await expect.poll(() => ask({})).toContain(`From ${attempts} attempts.`);
    const hardest = 'Which of these belong to personal protective equipment?';
    const { right, asked } = rightAnswers(testBed, hardest);
    expect(await ask({})).toContain(`${hardest} · ${right} of ${asked} right`);
    expect(await ask({ group: 'Kitchen' })).toContain('only in “Kitchen”');
    expect(await ask({ period: '1h' })).toContain('Questions show numbers from 5 attempts on.');
    expect(questionRequests(testBed)).toEqual([]);
  });
});

test.each([
  ['', /./],
  ['show-attempt:nobody', /^$/],
])(
  'the evidence pack has numbers of each question, and right answers for who may see attempts (RIGHTS: “%s”)',
  async (RIGHTS, rightAnswer) => {
    const testBed = await startTestBed({ env: { RIGHTS } });
    const { workspace } = testBed;
    await bringAnswers(testBed);
    // No alert comes to this channel before an answer.
    const type = async (line: string) =>
      (await workspace.as(ada.id).command(line, { channel: channels.training.id })).reply();
    const preview = await type(`/quiz-campaign start "${safetyQuiz}" for @ravi due 30d remind none`);
    await workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
    await workspace.until(() => workspace.ephemerals(ada.id).some((one) => textOf(one).includes('Started a campaign')));
    await type('/quiz-campaign evidence');
    const file = await workspace.until(() =>
      workspace
        .directMessages(ada.id)
        .flatMap(({ files = [] }) => files)
        .find(({ name }) => name.endsWith('.zip')),
    );
    const pack = unzipSync(new Uint8Array(await (await fetch(file.url)).arrayBuffer()));
    const rows: Record<string, string>[] = parse(Buffer.from(pack['questions.csv']!), { bom: true, columns: true });
    const attempts = String(submittedResponses(testBed, safetyQuiz).length);
    // Nobody is right or wrong about free text.
    const marked = rows.filter((row) => row['Answered'] === '');
    expect(marked.length).toBeGreaterThan(2);
    for (const row of marked) {
      const { right, asked } = rightAnswers(testBed, row['Question']!);
      expect(row).toMatchObject({ Quiz: safetyQuiz, Attempts: attempts, 'Attempts read': attempts });
      expect([row['Asked'], row['Right']]).toEqual([String(asked), String(right)]);
      expect(row['Right answers']).toMatch(rightAnswer);
    }
    expect(Buffer.from(pack['questions.csv']!).toString()).not.toMatch(/Rosa|Almeida|@/);
  },
);
