import { expect, test } from 'vitest';
import { explainFailure } from '../../../src/governance/perform/failures.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { failedWith } from '../../../src/quiz-api/errors.ts';
import { UsersBusyError } from '../../../src/governance/rights/user-protection.ts';
import { StoreAwayError, StoreFullError } from '../../../src/storage/storage.ts';
import { serviceError } from '../../support/builders/governance.ts';

test('what had no answer, or a failed one, may have been done, and what was refused or never sent was not', () => {
  const isMaybeDone = (reason: Parameters<typeof serviceError>[0]) => failedWith(serviceError(reason), 'mayBeDone');
  const done = ['no connection', 'timed out', 'service failed', 'not JSON', 'invalid answer'] as const;
  expect(done.filter(isMaybeDone)).toEqual(done);
  const not = ['bad request', 'gone', 'budget spent', 'wrong address', 'SSL required', 'firewall'] as const;
  expect(not.filter(isMaybeDone)).toEqual([]);
});

const atOnce = new Date(60_000);
const away = new StoreAwayError(new Error('connect ECONNREFUSED 10.0.0.7:6379'));
const failures: [string, unknown][] = [
  ['no connection', serviceError('no connection')],
  ['no answer', serviceError('timed out')],
  ['a failed answer', serviceError('service failed')],
  ['a page', serviceError('not JSON')],
  ['no budget', serviceError('budget spent', { availableAt: new Date(149_000) })],
  ['no budget until now', serviceError('budget spent', { availableAt: atOnce })],
  ['no budget until a moment ago', serviceError('budget spent', { availableAt: new Date(0) })],
  ['no budget for a moment', serviceError('budget spent', { availableAt: new Date(60_001) })],
  ['one’s own share', serviceError('share spent', { availableAt: new Date(90_000) })],
  ['429', serviceError('rate limited', { availableAt: new Date(150_000) })],
  ['gone', serviceError('gone')],
  ['refused with a reason', serviceError('bad request', { serviceMessage: 'the name is taken' })],
  ['refused without one', serviceError('bad request')],
  ['gone or elsewhere', serviceError('gone or elsewhere')],
  ['a redirect', serviceError('wrong address')],
  ['no SSL', serviceError('SSL required')],
  ['a firewall', serviceError('firewall')],
  ['no right', serviceError('forbidden')],
  ['a strange answer', serviceError('invalid answer')],
  ['a store that is away', away],
  ['a budget that is in it', new Error('the budget cannot be asked', { cause: away })],
  ['what only looks like it', { cause: away }],
  ['a full store', new StoreFullError(new Error('OOM command not allowed'))],
  ['other changes of users', new UsersBusyError()],
  ['a full disk', Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' })],
  [
    'the platform’s 429',
    new PlatformError('ratelimited', {
      kind: 'rate_limited',
      retryAfterMs: 29_001,
      explanation: 'The platform takes no more requests.',
    }),
  ],
  [
    'the platform’s 429 without a time',
    new PlatformError('ratelimited', { kind: 'rate_limited', explanation: 'The platform takes no more requests.' }),
  ],
  [
    'the platform not answering',
    new PlatformError('request_error', { kind: 'unclear', explanation: 'The platform does not answer.' }),
  ],
  [
    'a channel that is closed',
    new PlatformError('is_archived', { kind: 'closed', explanation: 'The channel is archived.' }),
  ],
  [
    'the platform refusing with words',
    new PlatformError('file_uploads_disabled', { kind: 'refused', explanation: 'The platform refused this.' }),
  ],
  ['the platform refusing', new PlatformError('invalid_auth', { kind: 'refused' })],
  ['a bug', new TypeError('x is not a function')],
  ['nothing', undefined],
];

test('every failure is told in one sentence, and counted as the bot’s where it is', () => {
  const told = failures.map(([what, error]) => {
    const { message, isOurs } = explainFailure(error, 'ab12', atOnce.getTime());
    return `${what} (${isOurs ? 'ours' : 'not ours'}): ${message}`;
  });
  expect(`\n${told.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    no connection (not ours): The quiz service isn’t answering right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    no answer (not ours): The quiz service isn’t answering right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    a failed answer (not ours): The quiz service isn’t answering right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    a page (not ours): The quiz service isn’t answering right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    no budget (not ours): The quiz service’s limit for the bot is reached for now. Try again in 89 seconds.
    no budget until now (not ours): The quiz service’s limit for the bot is reached for now. Try again in a second.
    no budget until a moment ago (not ours): The quiz service’s limit for the bot is reached for now. Try again in a second.
    no budget for a moment (not ours): The quiz service’s limit for the bot is reached for now. Try again in a second.
    one’s own share (not ours): You’ve done a lot in a short time. Try again in 30 seconds.
    429 (not ours): The quiz service’s limit for the bot is reached for now. Try again in 2 minutes.
    gone (not ours): This is no longer in the quiz service. Someone may have deleted it, so check the list.
    refused with a reason (not ours): The quiz service refused this: the name is taken.
    refused without one (not ours): The quiz service refused this and gave no reason. Check what you entered.
    gone or elsewhere (ours): The quiz service answered with a web page. Either someone deleted this, so check the list, or the address in QUIZ_API_URL is wrong. Ask your administrator to check it (reference ab12).
    a redirect (ours): The quiz service isn’t at the address in QUIZ_API_URL. Ask your administrator to check it (reference ab12).
    no SSL (ours): The quiz service accepts only HTTPS, and QUIZ_API_URL begins with http. Ask your administrator to check it (reference ab12).
    a firewall (ours): A firewall keeps the bot from the quiz service. Ask your administrator to let it through (reference ab12).
    no right (ours): The quiz service rejects the bot’s API key. Ask your administrator to check it (reference ab12).
    a strange answer (ours): The quiz service gave an answer that the bot can’t read. Try again. If it keeps failing, give your administrator the reference ab12.
    a store that is away (ours): The bot can’t reach its own database right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    a budget that is in it (ours): The bot can’t reach its own database right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    what only looks like it (ours): Something went wrong in the bot. Try again, and if it keeps failing, give your administrator the reference ab12.
    a full store (ours): The bot can’t write to its own database, so nothing can change right now. Its memory may be full. Ask your administrator to check it (reference ab12).
    other changes of users (not ours): Other people are changing users right now. Try again in a minute.
    a full disk (ours): The bot can’t write to its own database, so nothing can change right now. Its disk may be full. Ask your administrator to check it (reference ab12).
    the platform’s 429 (not ours): The platform takes no more requests. Try again in 30 seconds. If it keeps failing, give your administrator the reference ab12.
    the platform’s 429 without a time (not ours): The platform takes no more requests. Try again in 60 seconds. If it keeps failing, give your administrator the reference ab12.
    the platform not answering (not ours): The platform does not answer. Try again in a minute. If it keeps failing, give your administrator the reference ab12.
    a channel that is closed (ours): The channel is archived. If it keeps failing, give your administrator the reference ab12.
    the platform refusing with words (ours): The platform refused this. Ask your administrator to check it (reference ab12).
    the platform refusing (ours): Something went wrong in the bot. Try again, and if it keeps failing, give your administrator the reference ab12.
    a bug (ours): Something went wrong in the bot. Try again, and if it keeps failing, give your administrator the reference ab12.
    nothing (ours): Something went wrong in the bot. Try again, and if it keeps failing, give your administrator the reference ab12.
    "
  `);
});
