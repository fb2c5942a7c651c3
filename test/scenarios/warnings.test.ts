import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { commandReply, locationOf, quizId } from '../support/results.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin } = people;
const forklift = 'Forklift theory test';

const writes = (requests: readonly string[]) => requests.filter((request) => !request.startsWith('GET'));

test('a command that assigns a closed quiz to a suspended person warns first, and a button goes on', async () => {
  const testBed = await startTestBed();
  const { workspace, requests } = testBed;
  const warning = await commandReply(testBed, ada.id, '/quiz assign forklift to Sam Petrov');
  expect(warning.text).toBe(
    `⚠️ *${forklift}* is closed, so nobody can take it until it’s open. *Sam Petrov* is suspended and can’t sign in.`,
  );
  expect(writes(requests)).toEqual([]);
  await workspace.as(ada.id).click(locationOf(warning), 'choose:confirmed');
  await workspace.until(() => textOf(workspace.ephemerals(ada.id)[0]).includes('Assigned *Forklift theory test*'));
  expect(writes(requests)).toEqual([expect.stringContaining(`/quizzes quiz_id=${quizId(testBed, forklift)}`)]);
  expect(workspace.ephemerals(ada.id)).toHaveLength(1);
});

test('only people who may see users learn that a person is suspended', async () => {
  const testBed = await startTestBed();
  expect(textOf(await commandReply(testBed, erin.id, '/quiz assign data protection to Sam Petrov'))).not.toContain(
    'suspended',
  );
});

test('a form warns below what was entered, and runs once the box is ticked', async () => {
  const testBed = await startTestBed();
  const { workspace, requests } = testBed;
  const trainer = workspace.as(erin.id);
  const form = await (await trainer.command('/quiz-group assign')).view();
  const { view } = await trainer.submit(form, { quiz: quizId(testBed, forklift), group: 'Kitchen' });
  expect(textOf(view)).toContain(`*${forklift}* is closed, so nobody can take it until it’s open.`);
  const box = view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id ?? '';
  const unticked = await trainer.submit(view!, {});
  expect(unticked.errors).toEqual({ [box]: 'Tick this to go on, or change your choice.' });
  expect(writes(requests)).toEqual([]);

  const other = await trainer.submit(view!, {
    quiz: quizId(testBed, 'First aid at work'),
    [box]: ['Do it all the same'],
  });
  expect(textOf(other.view)).toContain('*First aid at work* is in design');
  const otherBox = other.view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id ?? '';
  expect(otherBox).not.toBe(box);
  const done = await trainer.submit(other.view!, { [otherBox]: ['Do it all the same'] });
  expect(textOf(done.view)).toContain('Assigned *First aid at work*');
  expect(writes(requests)).toHaveLength(1);
});

test('a quiz that nobody has taken is opened from the form only after a warning, and by command at once', async () => {
  const testBed = await startTestBed();
  const { workspace, requests } = testBed;
  const trainer = workspace.as(erin.id);
  const form = await (await trainer.command('/quiz open')).view();
  const { view } = await trainer.submit(form, { quiz: quizId(testBed, 'Customer service essentials') });
  expect(textOf(view)).toContain('Nobody has taken *Customer service essentials* yet');
  expect(writes(requests)).toEqual([]);
  expect(textOf(await commandReply(testBed, erin.id, '/quiz open customer'))).toContain(
    'Opened *Customer service essentials*',
  );
});

test('an open quiz is assigned without a question, and without one more request', async () => {
  const testBed = await startTestBed();
  await commandReply(testBed, ada.id, '/quiz list');
  testBed.requests.length = 0;
  expect(textOf(await commandReply(testBed, ada.id, '/quiz assign data protection to Ravi Banerjee'))).toContain(
    'Assigned *Data protection refresher*',
  );
  expect(writes(testBed.requests)).toHaveLength(1);
  expect(testBed.requests).toHaveLength(2);
});
