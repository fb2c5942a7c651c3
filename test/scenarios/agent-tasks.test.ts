import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { NextCall } from '../../src/features/agents/answer.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { fromSlackbot, signed, slackbotOf, withAgents, named } from '../support/agents.ts';
import { hasButton } from '../support/approvals.ts';
import { commandReply, locationOf } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { eventually } from '../support/watchdog.ts';

const { ada } = people;
const env = { ...withAgents, ALERTS_CHANNEL: '' };
const fireQuiz = 'Fire safety';

interface Played {
  status: string;
  message: string;
  account_data?: { lines: string[] };
  next?: NextCall[];
}

async function call(model: Client, name: string, given: Record<string, unknown>): Promise<Played> {
  const { structuredContent } = await model.callTool({ name, arguments: { ...given } });
  return structuredContent as Played;
}

/** Makes a call that an answer offers. */
async function callNext(model: Client, { next = [] }: Played, label: string): Promise<Played> {
  const offered = next.find((one) => one.label === label);
  expect(next.map((one) => one.label)).toContain(label);
  expect(offered!.isIncomplete).toBeUndefined();
  return call(model, offered!.tool, offered!.arguments);
}

/** A bot whose clock the test sets forward. A campaign for Night shift, with Rosa, and Warehouse, with Ravi, runs. */
async function startWithCampaign() {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const testBed = await startTestBed({ env, now });
  addQuiz(testBed.quizService.database, {
    quiz_id: '10000000-0000-4000-8000-00000000f14e',
    name: fireQuiz,
    status: 'open',
    date_created: '2026-01-01 00:00:00',
  });
  await commandReply(testBed, ada.id, '/quiz-group add rosa almeida to night shift');
  const line = '/quiz-campaign start fire safety for Night shift, Warehouse due in 2 weeks remind none';
  const preview = await commandReply(testBed, ada.id, line);
  const before = textOf(preview);
  await testBed.workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign');
  const started = await testBed.workspace.until(() =>
    testBed.workspace.ephemerals(ada.id).find((message) => message.ts === preview.ts && textOf(message) !== before),
  );
  expect(textOf(started)).toContain('Started a campaign');
  const isAssigning = (request: string) => /^POST .*\/quizzes\/.*\/groups\b/.test(request);
  await eventually(() => expect(testBed.requests.filter(isAssigning)).toHaveLength(2));
  return { testBed, model: await slackbotOf(testBed, ada.id, now), skip: (ms: number) => void (aheadMs += ms) };
}

const linesOf = ({ account_data: { lines } = { lines: [] } }: Played) => lines.join('\n');

async function pressed({ workspace }: TestBed, actionId: string): Promise<string> {
  const asked = await workspace.until(() =>
    workspace.directMessages(ada.id).findLast((message) => hasButton(message, actionId)),
  );
  const before = textOf(asked);
  await workspace.as(ada.id).click(locationOf(asked), actionId);
  const answer = await workspace.until(() =>
    workspace.directMessages(ada.id).find((message) => message.ts === asked.ts && textOf(message) !== before),
  );
  return textOf(answer);
}

describe('a model', () => {
  test('finds out who still hasn’t done fire safety, and who is overdue, reminds them alone, gives a week more, and takes it back', async () => {
    const { testBed, model, skip } = await startWithCampaign();
    const missing = await call(model, 'show-missing', { quiz: 'fire safety', group: 'night shift' });
    expect(linesOf(missing)).toContain('Rosa Almeida');
    expect(linesOf(missing)).not.toContain('Ravi Banerjee');
    const reminded = await callNext(model, missing, 'Remind');
    expect(reminded).toMatchObject({ status: 'press' });
    expect(await pressed(testBed, 'choose:confirmed')).toContain(
      `Scheduled a reminder about *${fireQuiz}* for *Rosa Almeida*.`,
    );

    const extended = await call(model, 'extend-campaign', { campaign: 'fire safety', time: '1 week more' });
    expect(extended).toMatchObject({ status: 'done', message: expect.stringContaining('Moved the due time') });
    const undone = await callNext(model, extended, 'Undo');
    expect(undone).toMatchObject({ status: 'done', message: expect.stringContaining('Moved the due time') });
    expect(undone.message).not.toBe(extended.message);

    expect(linesOf(await call(model, 'show-matrix', { only: 'overdue' }))).toContain('Nobody is overdue');
    skip(15 * 24 * 3_600_000);
    const overdue = linesOf(await call(model, 'show-matrix', { only: 'overdue' }));
    expect(overdue).toContain(fireQuiz);
    expect(overdue).toContain('Gabriel Nunes');
  });

  test('adds a new starter, who has two weeks for the onboarding', async () => {
    const testBed = await startTestBed({ env });
    const model = await slackbotOf(testBed, ada.id);
    const starter = { user_name: 'ana.silva', first_name: 'Ana', last_name: 'Silva', user_type: 'respondent' };
    expect(await call(model, 'create-user', starter)).toMatchObject({ status: 'done' });
    const preview = await call(model, 'start-campaign', { quiz: 'onboarding', to: ['Ana Silva'], due: 'in 2 weeks' });
    expect(preview).toMatchObject({ status: 'press' });
    expect(linesOf(preview)).toContain('1 person');
    expect(await pressed(testBed, 'choose:run-campaign')).toContain('Started a campaign for *Onboarding, week 1*');
  });
});

describe('a model that keeps people trained', () => {
  test('has everyone in Kitchen pass Food hygiene within 14 days of joining and every year', async () => {
    const testBed = await startTestBed({ env });
    const model = await slackbotOf(testBed, ada.id);
    const { tools } = await model.listTools();
    const { description, inputSchema } = tools.find(({ name }) => name === 'start-campaign')!;
    expect(description).toContain('Where people must pass within a time of joining, give “within” instead of “due”');
    expect(inputSchema.properties).toMatchObject({
      within: { type: 'array', description: expect.stringContaining('counted from the day they join') },
      valid: { description: expect.stringContaining('12 months') },
      renew: { description: expect.stringContaining('30d') },
    });
    const given = { quiz: 'food hygiene', to: ['Kitchen'], within: ['14d'], valid: '12 months' };
    const preview = await call(model, 'start-campaign', given);
    expect(preview).toMatchObject({ status: 'press' });
    expect(linesOf(preview)).toContain('14 days after joining');
    expect(await pressed(testBed, 'choose:run-campaign')).toContain('Started a campaign for *Food hygiene, level 2*');

    // Ravi helps in the kitchen.
    const required = { quiz: 'food hygiene', to: ['Ravi Banerjee'] };
    const offered = await call(model, 'require-quiz', required);
    expect(offered.message).toContain('There’s an ongoing campaign for');
    const added = await callNext(model, offered, 'Add');
    expect(added).toMatchObject({ status: 'done', message: expect.stringMatching(/Added .?Ravi Banerjee/) });
    expect((await call(model, 'require-quiz', required)).message).toContain('already');
  });
});

test('the list of tools has less than 40 KB', async () => {
  const { url, workspace } = await startTestBed({ env });
  const body = fromSlackbot({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, named(ada.id, workspace));
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(`${url}/mcp`, { method: 'POST', body, headers: { ...headers, ...signed(body) } });
  const list = await answer.text();
  expect(list).toContain('"show-missing"');
  expect(Buffer.byteLength(list)).toBeLessThan(40 * 1_024);
});
