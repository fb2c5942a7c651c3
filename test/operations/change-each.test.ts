import { expect, test } from 'vitest';
import { changeEach } from '../../src/operations/change-each.ts';
import { PlatformError } from '../../src/domain/errors.ts';
import { serviceError } from '../support/builders/governance.ts';
import { StoreAwayError, StoreFullError } from '../../src/storage/storage.ts';

const soon = new Date(0);
const ofBudget = (cause: unknown) => serviceError('other', { cause });

test('begins no further change while the bot stops, and says which are not made', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `P${index}`);
  const bot = { isStopping: false };
  const changed: string[] = [];
  const { succeeded, problems } = await changeEach(names, {
    couldNot: (name) => `Couldn’t add ${name}`,
    isStopping: () => bot.isStopping,
    change: async (name) => {
      changed.push(name);
      if (changed.length === 10) bot.isStopping = true;
    },
  });
  expect([succeeded, changed]).toEqual([names.slice(0, 10), names.slice(0, 10)]);
  expect(problems).toEqual(
    names.slice(10).map((name) => `Couldn’t add ${name}: the bot restarted before it could send this.`),
  );
});

test.each<[string, Error, string]>([
  [
    'the budget has no room',
    serviceError('budget spent', { availableAt: soon }),
    'the bot’s requests to the quiz service are used up for now',
  ],
  [
    'the service refuses more requests',
    serviceError('rate limited', { availableAt: soon }),
    'the bot’s requests to the quiz service are used up for now',
  ],
  [
    'a person’s share is spent',
    serviceError('share spent', { availableAt: soon }),
    'you’ve done a lot in a short time',
  ],
  [
    'the time is over before it is sent',
    serviceError('deadline passed', { availableAt: soon }),
    'the bot ran out of time before it could send this',
  ],
  ['the store is away', new StoreAwayError('gone'), 'the bot can’t reach its own database right now'],
  [
    'the store, which keeps the budget, is away',
    ofBudget(new StoreAwayError('gone')),
    'the bot can’t reach its own database right now',
  ],
  ['the store is full', ofBudget(new StoreFullError('full')), 'the bot can’t write to its own database'],
  [
    'Slack does not answer',
    new PlatformError('x', { kind: 'unclear', explanation: 'Slack isn’t answering the bot right now.' }),
    'Slack isn’t answering the bot right now',
  ],
  [
    'the service does not answer',
    serviceError('timed out'),
    'the quiz service didn’t answer, so check whether it was done',
  ],
  [
    'the service refuses it',
    serviceError('bad request', { status: 400, serviceMessage: 'No such user.' }),
    'No such user',
  ],
  ['the bot has a fault', new Error('no'), 'something went wrong in the bot'],
])('says why a thing stays as it was, where %s', async (_, error, reason) => {
  const { problems } = await changeEach(['Rosa', 'Kim'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    change: async (name) => {
      if (name === 'Kim') throw error;
    },
  });
  expect(problems).toEqual([`Couldn’t add Kim: ${reason}.`]);
});

const lost = serviceError('no connection');

test('a change whose answer is lost is looked up, and not sent again where it was made', async () => {
  const sent: string[] = [];
  const { succeeded, note } = await changeEach(['Ada', 'Bo'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    change: async (name) => {
      sent.push(name);
      if (name === 'Bo') throw lost;
    },
    findChanged: async (unclear) => new Set(unclear),
  });
  expect([sent, succeeded]).toEqual([
    ['Ada', 'Bo'],
    ['Ada', 'Bo'],
  ]);
  expect(note).toContain('didn’t confirm it');
});

test('a change that did not arrive is looked up, and then sent again', async () => {
  const steps: string[] = [];
  const { succeeded, problems, note } = await changeEach(['Ada', 'Bo'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    change: async (name) => {
      steps.push(name);
      if (name === 'Bo' && steps.filter((step) => step === 'Bo').length === 1) throw lost;
    },
    findChanged: async () => {
      steps.push('look');
      return new Set();
    },
  });
  expect(steps).toEqual(['Ada', 'Bo', 'look', 'Bo']);
  expect([succeeded, problems, note]).toEqual([['Ada', 'Bo'], [], '']);
});

test('a repeated change that is refused because the first one came late is found', async () => {
  let isMade = false;
  const { succeeded, problems } = await changeEach(['Bo'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    change: async () => {
      if (isMade) throw serviceError('bad request', { status: 400, serviceMessage: 'Already there.' });
      throw lost;
    },
    findChanged: async (unclear) => {
      const found = new Set(isMade ? unclear : []);
      isMade = true;
      return found;
    },
  });
  expect([succeeded, problems]).toEqual([['Bo'], []]);
});

test('a change is sent three times at most', async () => {
  let sent = 0;
  const changing = changeEach(['Bo'], {
    couldNot: (name) => `Couldn’t add ${name}`,
    async change() {
      sent += 1;
      throw lost;
    },
    findChanged: async () => new Set(),
  });
  await expect(changing).rejects.toBe(lost);
  expect(sent).toBe(3);
});
