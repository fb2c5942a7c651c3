import { describe, expect, test } from 'vitest';
import { PlatformError } from '../../src/domain/errors.ts';
import { callSlack, isBadMessage, translateSlackError } from '../../src/slack/errors.ts';

const answered = (error: string) =>
  Object.assign(new Error(`An API error occurred: ${error}`), {
    code: 'slack_webapi_platform_error',
    data: { ok: false, error },
  });

async function thrown(error: unknown): Promise<PlatformError> {
  try {
    return await callSlack(async () => {
      throw error;
    });
  } catch (caught) {
    return caught as PlatformError;
  }
}

describe('an error of Slack', () => {
  test.each([
    ['rate_limited', ['ratelimited', 'rate_limited']],
    [
      'closed',
      [
        'not_in_channel channel_not_found is_archived is_inactive restricted_action',
        'restricted_action_read_only_channel restricted_action_thread_only_channel',
        'restricted_action_non_threadable_channel no_permission channel_is_limited_access ekm_access_denied',
        'as_user_not_supported messages_tab_disabled user_disabled user_not_found user_not_visible',
        'invalid_user_combination',
      ].flatMap((line) => line.split(' ')),
    ],
    [
      'thread_gone',
      [
        'thread_not_found',
        'message_not_found',
        'cannot_reply_to_message',
        'cant_update_message',
        'edit_window_closed',
        'restricted_action_thread_locked',
      ],
    ],
    ['unclear', ['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout', 'update_failed']],
    ['too_long', ['msg_blocks_too_long', 'msg_too_long']],
    ['bad_message', ['invalid_blocks', 'invalid_arguments']],
    ['forbidden', ['missing_scope', 'team_access_not_granted', 'accesslimited']],
    ['refused', ['invalid_auth', 'an_error_of_next_year', 'constructor']],
  ] as const)('is %s', async (kind, codes) => {
    for (const code of codes) {
      const error = await thrown(answered(code));
      expect([code, error.kind]).toEqual([code, kind]);
      expect(error.code).toBe(kind === 'rate_limited' ? 'ratelimited' : code);
    }
  });

  test('says how long to wait', async () => {
    expect(
      await thrown(Object.assign(new Error('429'), { code: 'slack_webapi_rate_limited_error', retryAfter: 7 })),
    ).toMatchObject({ kind: 'rate_limited', code: 'ratelimited', retryAfterMs: 7_000 });
    expect(await thrown(answered('ratelimited'))).toMatchObject({ retryAfterMs: 30_000 });
    expect(await thrown(Object.assign(new Error('429'), { code: 'slack_webapi_rate_limited_error' }))).toMatchObject({
      retryAfterMs: 30_000,
    });
    expect((await thrown(answered('is_archived'))).retryAfterMs).toBeUndefined();
  });

  test('explains itself to people where it passes or where somebody can help', async () => {
    const explanations = await Promise.all(
      [
        answered('ratelimited'),
        Object.assign(new Error('no'), { code: 'slack_webapi_request_error' }),
        Object.assign(new Error('no'), { code: 'slack_webapi_http_error' }),
        answered('is_archived'),
        answered('not_in_channel'),
        answered('channel_not_found'),
        answered('restricted_action_thread_only_channel'),
        answered('no_permission'),
        answered('invalid_auth'),
        answered('internal_error'),
        new TypeError('a bug'),
      ].map(async (error) => (await thrown(error)).explanation),
    );
    expect(explanations).toEqual([
      'Slack’s limit for the bot is reached for now.',
      'Slack isn’t answering the bot right now.',
      'Slack isn’t answering the bot right now.',
      'The channel is archived. Unarchive it. Then try again.',
      'Invigilator isn’t in the channel. Type /invite @Invigilator there. Then try again.',
      'Invigilator isn’t in the channel. Type /invite @Invigilator there. Then try again.',
      'Only some people can post in the channel. Ask someone who manages the channel to let Invigilator post. Then try again.',
      'Slack doesn’t let Invigilator post in the channel. Ask an administrator of the workspace for help. Then try again.',
      'Slack refused this.',
      'Slack has a fault of its own right now.',
      undefined,
    ]);
  });

  test('is unclear where Slack gave no code', async () => {
    expect(await thrown(Object.assign(new Error('no'), { code: 'slack_webapi_request_error' }))).toMatchObject({
      kind: 'unclear',
      code: 'slack_webapi_request_error',
    });
    for (const error of [new Error('no'), undefined, { code: 5 }, { data: {} }, { data: { error: 5 } }])
      expect(await thrown(error)).toMatchObject({ kind: 'unclear', code: 'unknown', cause: error });
  });

  test('is translated once, and keeps its cause', async () => {
    const cause = answered('is_archived');
    const error = await thrown(cause);
    expect(error).toBeInstanceOf(PlatformError);
    expect([error.name, error.message, error.cause]).toEqual([
      'PlatformError',
      'a call of the chat platform failed: is_archived',
      cause,
    ]);
    expect(await thrown(error)).toBe(error);
  });

  test('is distinguished from other errors', () => {
    expect(translateSlackError(answered('is_archived'))).toMatchObject({ kind: 'closed' });
    for (const error of [
      new Error('x'),
      Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR' }),
      undefined,
      'x',
      { code: 5 },
    ])
      expect(translateSlackError(error)).toBe(error);
  });
});

test('only what Slack says of the form or length of a message makes it a bad one', () => {
  expect(
    [
      'invalid_blocks invalid_blocks_format msg_blocks_too_long msg_too_long invalid_arguments is_archived',
      'ratelimited other',
    ]
      .flatMap((line) => line.split(' '))
      .filter(isBadMessage),
  ).toHaveLength(5);
});
